internal import Credentials
internal import Indy
internal import JSON
internal import MSDK
internal import ProgramArguments

// The commands for requests of proofs.

extension OpenSession {
  /// Lists the requests that wait for the user or for their verifier, with the content of an answer.
  func proofs() throws {
    let found = try waitForAny(.request)
    try show(found, none: "No request for a proof is open.") { entry in
      guard entry.record.state == .open else { return (.null, RequestedItems.title(of: entry), true) }
      let choice: ProofChoice
      do { choice = try self.choice(for: DisclosedProof(serialized: entry.record.exchange)) } catch let error
        where Self.isFaultOfRequest(error)
      {
        let fault = "cannot be answered: \(printable("\(error)"))"
        return (.null, RequestedItems.title(of: entry) + ContentRow.lines([ContentRow(name: fault, value: "")]), false)
      }
      let canAgree = choice.obstacle(entry.record.number) == nil
      return (choice.json, RequestedItems.title(of: entry) + choice.lines, canAgree)
    }
  }

  /// Whether the fault is the request's: such a request does not hide the others.
  private static func isFaultOfRequest(_ error: any Error) -> Bool {
    if case CredentialsError.malformedRequest = error { true } else { false }
  }

  /// Gives a proof, after showing its content, and waits for the verifier.
  func present() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], .request)
    if entry.record.state == .open {
      try give(&entry, exchanges)
      exchanges.markRead(entry)
    }
    try exchanges.wait(for: &entry)
    try report(
      entry, done: "The other side has confirmed the proof.", waiting: "The proof is sent and not confirmed yet")
  }

  /// Makes the proof and sends it. If an earlier command has made the proof, sends it unchanged: the user has agreed to
  /// it.
  private func give(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var proof = try DisclosedProof(serialized: entry.record.exchange)
    if (try? proof.message(asVersion3: false)) == nil {
      let choice = try choice(for: proof)
      let lines = RequestedItems.title(of: entry) + choice.lines
      if let obstacle = choice.obstacle(entry.record.number) {
        if !arguments.wantsJSON { try arguments.show(lines) }
        throw Failure(obstacle)
      }
      try confirm("Show this?", lines)
      try Progress.showing("making the proof") { try prepare(&proof, choice, of: &entry, exchanges) }
    }
    try Progress.showing("sending the proof") { try proof.send(over: entry.connection, with: session) }
    try exchanges.keep(proof, of: &entry)
  }

  /// Makes the proof and keeps it. If a lasting reason prevents it, such as a revoked credential, the exchange ends,
  /// and the verifier is told.
  private func prepare(
    _ proof: inout DisclosedProof, _ choice: ProofChoice, of entry: inout OpenExchange, _ exchanges: Exchanges
  ) throws {
    let (selected, stated) = choice.texts
    try proof.prepare(showing: selected, selfAttested: stated, with: session)
    guard let error = proof.preparationError else { return try exchanges.keep(proof, of: &entry) }
    guard proof.cannotBeMade else { throw error }
    do { try proof.send(over: entry.connection, with: session) } catch {}
    entry.record.end(.failed, because: "\(error)")
    try exchanges.update(entry.record)
    exchanges.markRead(entry)
    throw Failure("No proof can be given: \(printable("\(error)")). The other side is told.")
  }

  private func choice(for proof: DisclosedProof) throws -> ProofChoice {
    let stated: JSONObject
    do { stated = try arguments[.attest].map { try JSON(parsing: $0).requireObject() } ?? [:] } catch {
      throw UsageError("--attest is a JSON object of texts.", of: arguments.command)
    }
    let found = try JSON(parsing: proof.matchingCredentials(asVersion3: false, with: session))
    return try ProofChoice(found, preferring: arguments[.with], stating: stated)
  }
}

/// The content of a request, as the user sees it.
enum RequestedItems {
  static func title(of entry: OpenExchange) -> [String] {
    let summary = (try? DisclosedProof.summary(ofRequest: entry.record.message)).flatMap { try? JSON(parsing: $0) }
    let name = summary?["name"]?.string.flatMap { $0.isEmpty ? nil : ": \(printable($0))" } ?? ""
    return ["\(entry.record.number)  \(printable(entry.name)) asks for a proof\(name)"]
  }
}

extension ProofChoice {
  /// The content that the other side would see, for people.
  var lines: [String] {
    let sources = credentials.map { id, schema in
      ContentRow(word: "from", name: schema.schemaNameOfIndy ?? schema, value: "the credential \(id.prefix(8))")
    }
    return ContentRow.lines(items.flatMap(\.rows) + sources)
  }

  /// The used credentials, each once.
  private var credentials: [(id: String, schema: String)] {
    var seen: Set<String> = []
    return items.compactMap { item in
      guard case .credential(let id, let schema, _) = item.answer, seen.insert(id).inserted else { return nil }
      return (id, schema)
    }
  }

  var json: JSON { .array(items.map(\.json)) }
}

extension ProofChoice.Item {
  fileprivate var rows: [ContentRow] {
    let names = names.joined(separator: ", ")
    let start = condition.map { $0 + ": " } ?? ""
    switch answer {
    case .credential(_, _, let values):
      guard let condition else { return values.map { ContentRow(word: "shows", name: $0.name, value: $0.value) } }
      return [ContentRow(word: "proves", name: names, value: "\(condition), without showing the value")]
    case .stated(let value): return [ContentRow(word: "states", name: names, value: value)]
    case .unstated: return [ContentRow(word: "lacks", name: names, value: "a value that you state (--attest)")]
    case .revoked: return [ContentRow(word: "lacks", name: names, value: start + "the credential is revoked")]
    case .missing: return [ContentRow(word: "lacks", name: names, value: start + "no credential fits")]
    }
  }

  fileprivate var json: JSON {
    var object: JSONObject = ["names": JSON(names), "condition": JSON(condition)]
    switch answer {
    case .credential(let id, _, let values):
      object["answer"] = "credential"
      object["credential"] = .string(id)
      if condition == nil { object["shows"] = .object(JSONObject(values.map { ($0.name, .string($0.value)) })) }
    case .stated(let value):
      object["answer"] = "stated"
      object["shows"] = .object(JSONObject(names.map { ($0, .string(value)) }))
    case .unstated: object["answer"] = "unstated"
    case .revoked: object["answer"] = "revoked"
    case .missing: object["answer"] = "missing"
    }
    return .object(object)
  }
}
