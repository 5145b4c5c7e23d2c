internal import Indy
package import JSON
internal import Threading

/// The registry that the program itself is: it answers for the ids of methods that this library does not know.
///
/// The library asks by calling the program, which answers with another call, on any thread, once. Each question waits on the
/// thread that needs the object, for a limited time: a program that never answers is a registry that cannot be reached.
package final class ProgramRegistry: Registry {
  /// Passes a question, as JSON text, to the program.
  package typealias Ask = @Sendable (_ question: String) -> Void

  private let ask: Ask
  private let limit: Int
  private let state = Monitor(State())
  /// The program's code runs on threads of its own, since it may block.
  private let threads = Threads(limit: 16)

  /// The number of the next question. The questions of all registries have different numbers, so that an answer never counts
  /// for a question of another agent.
  private static let numbers = Locked<UInt32>(1)

  private struct State: Sendable {
    /// The questions that wait.
    var waiting: Set<UInt32> = []
    var answers: [UInt32: Result<JSON, RegistryError>] = [:]
    /// The number of the calls of the program that have not returned.
    var calls = 0
    var isClosed = false
  }

  /// The seconds for which a question waits.
  package static let secondsToAnswer = 30
  private static let mostQuestions = 256
  /// The most bytes of an answer: a status list of a million credentials.
  private static let answerLimit = 2 << 20

  package init(milliseconds: Int = secondsToAnswer * 1000, ask: @escaping Ask) {
    self.ask = ask
    limit = milliseconds
  }

  /// The program knows methods in which everybody can publish.
  package var isOpenToAll: Bool { true }

  /// The program cannot replace what ledgers and servers of did:webvh say.
  package func supports(_ id: String) -> Bool {
    id.isObjectID && IndyID(id) == nil && !id.hasPrefix("did:indy:") && !id.hasPrefix("did:webvh:")
  }

  package func schema(_ id: String) throws(RegistryError) -> JSON { try object("schema", id) }

  package func definition(_ id: String) throws(RegistryError) -> JSON { try object("credential_definition", id) }

  package func revocationRegistry(_ id: String) throws(RegistryError) -> JSON { try object("revocation_registry", id) }

  /// The program's object, unless it claims an issuer for whose objects the program is never asked.
  private func object(_ kind: String, _ id: String) throws(RegistryError) -> JSON {
    let object = try answer(to: kind, id)
    guard let issuer = object["issuerId"]?.string, IndyDID(issuer) != nil || issuer.hasPrefix("did:webvh:") else {
      return object
    }
    throw .invalid("the program cannot answer for an issuer of Indy or of did:webvh")
  }

  package func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON {
    try answer(to: "status_list", id, ["time": .integer(time)])
  }

  /// Asks for the list without a time.
  package func newestStatusList(_ id: String) throws(RegistryError) -> JSON { try answer(to: "status_list", id) }

  // MARK: Questions

  private func answer(to kind: String, _ id: String, _ members: JSON = [:]) throws(RegistryError) -> JSON {
    let number = Self.numbers.withLock { next in
      defer { next = next == .max ? 1 : next + 1 }
      return next
    }
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.waiting.count < Self.mostQuestions, state.calls < Self.mostQuestions else {
        return false
      }
      state.calls += 1
      state.waiting.insert(number)
      return true
    }
    guard isTaken else { throw .unreachable("the program has too many unanswered questions, or no resolver") }
    var question: JSON = ["request": .integer(Int64(number)), "type": .string(kind), "id": .string(id)]
    for (name, value) in members.object?.members ?? [] { question[name] = value }
    let text = question.text
    threads.post { [self] in
      if state.withLock({ $0.waiting.contains(number) }) { ask(text) }
      state.withLock { $0.calls -= 1 }
    }
    let limit = Deadline.milliseconds(atMost: limit)
    let answer = state.wait(milliseconds: limit) { state in
      state.answers[number] ?? (state.isClosed ? .failure(.unreachable("the program's resolver has ended")) : nil)
    }
    state.withLock { state in
      state.waiting.remove(number)
      state.answers[number] = nil
    }
    guard let answer else { throw .unreachable("the program has not answered within \(limit) ms") }
    return try answer.get()
  }

  /// Takes the program's answer to a question: `{"object"}`, `{"found": false}`, or `{"error"}` with a reason. A malformed
  /// answer ends the question too, and throws. Throws `unexpected` if no such question waits: it was answered before, or its
  /// time is over.
  package func take(_ answer: String, to number: UInt32) throws(ProgramAnswerError) {
    let read = Self.read(answer)
    let isExpected = state.withLock { state in
      guard state.waiting.contains(number), state.answers[number] == nil else { return false }
      state.answers[number] = read.mapError { RegistryError($0) }.flatMap(\.self)
      return true
    }
    guard isExpected else { throw .unexpected }
    if case .failure(let error) = read { throw error }
  }

  private static func read(_ answer: String) -> Result<Result<JSON, RegistryError>, ProgramAnswerError> {
    guard answer.utf8.count <= answerLimit else { return .failure(.tooLong) }
    guard let members = (try? JSON(parsing: answer, limits: .numberLists))?.object, members.count == 1,
      let (name, value) = members.members.first
    else { return .failure(.malformed) }
    switch (name, value) {
    case ("object", .object): return .success(.success(value))
    case ("found", false): return .success(.failure(.notFound))
    case ("error", .string(let reason)): return .success(.failure(.unreachable("the program: \(reason.prefix(200))")))
    default: return .failure(.malformed)
    }
  }

  /// Ends all questions. Later ones fail.
  package func close() { state.withLock { $0.isClosed = true } }
}

/// The reasons why a program's answer counts nothing.
package enum ProgramAnswerError: Error, Equatable, Sendable {
  /// No question with this number waits.
  case unexpected
  case malformed
  case tooLong
}

extension ProgramAnswerError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unexpected: "no question with this number waits: it is answered, or its time is over"
    case .malformed: "the answer is none of {\"object\": {…}}, {\"found\": false} and {\"error\": \"…\"}"
    case .tooLong: "the answer is longer than 2 MB"
    }
  }
}

extension RegistryError {
  fileprivate init(_ error: ProgramAnswerError) { self = .invalid("\(error)") }
}
