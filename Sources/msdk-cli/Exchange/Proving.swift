internal import Credentials
internal import Indy
internal import JSON
internal import MSDK
internal import ProgramArguments

// The commands for requests of proofs.

extension OpenSession {
  /// Lists the requests that wait for the user or for their verifier, with the content of an answer.
  func proofs() throws {
    let stated = try StatedValues(arguments)
    let found = try waitForAny(.request)
    try show(found, none: "No request for a proof is open.") { entry in
      let title = RequestedItems.title(of: entry)
      guard entry.record.state == .open else { return ShownExchange(["content": .null], title) }
      do {
        let (choice, isMade) = try answer(to: entry, stating: stated)
        return ShownExchange(
          ["content": choice.json, "made": .bool(isMade)], title + choice.lines + (isMade ? [RequestedItems.made] : []),
          agreement: isMade || choice.obstacle(entry.record.number) == nil ? "" : choice.statement,
          canDecline: !isMade)
      } catch let error where Self.isFaultOfRequest(error) {
        return ShownExchange(["content": .null], title + RequestedItems.fault("cannot be answered: \(error)"))
      } catch let error as Failure {
        return ShownExchange(["content": .null], title + RequestedItems.fault("gets no such answer: \(error.text)"))
      }
    }
  }

  /// The proof that is made already, or else the proof that the user's choice would make.
  private func answer(
    to entry: OpenExchange, stating stated: StatedValues
  ) throws -> (choice: ProofChoice, isMade: Bool) {
    let proof = try DisclosedProof(serialized: entry.record.exchange)
    guard !proof.mayBeSent else { return (try Self.madeChoice(in: proof), true) }
    return (try choice(for: proof, stating: stated), false)
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
    } else if [.waiting, .done].contains(entry.record.state) {
      try requireNoChoice(entry)
    }
    try exchanges.wait(for: &entry)
    try report(
      entry, done: "The other side has confirmed the proof.", waiting: "The proof is sent and not confirmed yet")
  }

  /// Makes the proof and sends it. The other side may have a proof that an earlier command has sent: it gets that one again,
  /// and no other. Shows the content in both cases, and asks.
  private func give(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var proof = try DisclosedProof(serialized: entry.record.exchange)
    let title = RequestedItems.title(of: entry)
    if proof.mayBeSent {
      try requireNoChoice(entry)
      try confirm("Show this?", title + Self.madeChoice(in: proof).lines + [RequestedItems.made])
      try exchanges.requireUnchanged(entry)
    } else {
      let choice = try choice(for: proof, stating: StatedValues(arguments))
      if let obstacle = choice.obstacle(entry.record.number) {
        if !arguments.wantsJSON { try arguments.show(title + choice.lines) }
        throw Failure(obstacle)
      }
      try confirm("Show this?", title + choice.lines)
      try exchanges.requireUnchanged(entry)
      try Progress.showing("making the proof") { try prepare(&proof, choice, of: &entry, exchanges) }
    }
    try Progress.showing("sending the proof") { try send(proof, of: &entry, exchanges) }
  }

  /// Throws if the user chooses the content of a proof that the other side may have.
  private func requireNoChoice(_ entry: OpenExchange) throws {
    guard arguments.has(.with) || arguments.has(.attest) else { return }
    throw Failure(
      "The other side may have a proof already, which --with and --attest cannot change: `msdk present "
        + "\(entry.record.number)` without them goes on with it.")
  }

  private static func madeChoice(in proof: DisclosedProof) throws -> ProofChoice {
    do { return ProofChoice(made: try JSON(parsing: proof.content())) } catch {
      throw Failure("The proof that is made already cannot be read: \(printable("\(error)")).")
    }
  }

  /// Makes the proof. If a lasting reason prevents it, such as a revoked credential, the exchange ends, and the verifier
  /// is told.
  private func prepare(
    _ proof: inout DisclosedProof, _ choice: ProofChoice, of entry: inout OpenExchange, _ exchanges: Exchanges
  ) throws {
    let (selected, stated) = choice.texts
    try proof.prepare(showing: selected, selfAttested: stated, with: session)
    guard let error = proof.preparationError else { return }
    guard proof.cannotBeMade else { throw error }
    do { try proof.send(over: entry.connection, with: session) } catch {}
    try exchanges.change(&entry) { $0.end(.failed, because: "\(error)") }
    exchanges.markRead(entry)
    throw Failure("No proof can be given: \(printable("\(error)")). The other side is told.")
  }

  /// Sends the proof. The wallet notes that before: a killed command may have sent the proof. After a failure that left
  /// the proof here, the user may choose again. Failures of other kinds come before the proof is sent.
  private func send(_ made: DisclosedProof, of entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var proof = made
    proof.noteSending()
    try exchanges.keep(proof, of: &entry)
    do { try proof.send(over: entry.connection, with: session) } catch {
      guard made.mayBeSent || (error as? DeliveryError)?.mayHaveArrived ?? false else {
        try exchanges.keep(made, of: &entry)
        throw error
      }
      throw Failure(
        asSentence("\(error)") + " The other side may have the proof nevertheless: `msdk present "
          + "\(entry.record.number)` sends the same one again.")
    }
    try exchanges.keep(proof, of: &entry)
  }

  private func choice(for proof: DisclosedProof, stating stated: StatedValues) throws -> ProofChoice {
    let found = try JSON(parsing: proof.matchingCredentials(asVersion3: false, with: session))
    return try ProofChoice(found, preferring: arguments[.with], stating: stated)
  }
}

/// The content of a request, as the user sees it.
enum RequestedItems {
  static func title(of entry: OpenExchange) -> [String] {
    let summary = (try? DisclosedProof.summary(ofRequest: entry.record.message)).flatMap { try? JSON(parsing: $0) }
    let name = summary?["name"]?.string.flatMap { $0.isEmpty ? nil : ": \(ContentRow.title($0))" } ?? ""
    return ["\(entry.record.number)  \(printable(entry.name)) asks for a proof\(name)"]
  }

  /// A line below the content of a proof that is made already.
  static let made = "   An earlier command has made this proof, and the other side may have it."

  static func fault(_ text: String) -> [String] { ContentRow.lines([ContentRow(name: text, value: "")]) }
}

extension ProofChoice {
  /// The content that the other side would see, for people.
  var lines: [String] {
    let sources = credentials.map { source in
      let place = source.id.map { "the credential \($0.prefix(8))" } ?? "a credential of \(source.definition)"
      return ContentRow(
        word: "from", name: source.schema.schemaNameOfIndy ?? source.schema,
        value: place + (source.isRevoked ? ", which is revoked" : ""))
    }
    // The values that leave the wallet stand last, next to the question: a verifier may ask for many other things.
    let rows = items.filter { !$0.showsValues } + items.filter(\.showsValues)
    return ContentRow.lines(rows.flatMap(\.rows) + sources) + summary
  }

  /// The names of all shown attributes in a line, if their rows may have left the terminal.
  private var summary: [String] {
    guard items.count > 12 else { return [] }
    var seen: Set<String> = []
    let names = items.filter(\.showsValues).flatMap(\.names).map { ContentRow.title($0) }
    let shown = names.filter { seen.insert(AttributeName($0).text).inserted }
    return ["   Of \(items.count) items it shows the values of: \(shown.joined(separator: ", "))"]
  }

  /// The used credentials, each once.
  private var credentials: [Source] {
    var seen: Set<Source> = []
    return items.compactMap { item in
      guard case .credential(let source, _) = item.answer, seen.insert(source).inserted else { return nil }
      return source
    }
  }

  var json: JSON { .array(items.map(\.json)) }
}

extension ProofChoice.Item {
  fileprivate var showsValues: Bool {
    switch answer {
    case .credential: condition == nil
    case .stated: true
    case .unstated, .revoked, .missing: false
    }
  }

  fileprivate var rows: [ContentRow] {
    let names = names.joined(separator: ", ")
    let start = condition.map { $0 + ": " } ?? ""
    switch answer {
    case .credential(_, let values):
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
    case .credential(let source, let values):
      object["answer"] = "credential"
      object["credential"] = JSON(source.id)
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
