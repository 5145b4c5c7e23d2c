internal import Credentials
internal import JSON
internal import MSDK
internal import Platform
internal import ProgramArguments

// The commands for offers of credentials.

extension OpenSession {
  /// Lists the offers that wait for the user or for their issuer.
  func offers() throws {
    let found = try waitForAny(.offer)
    try show(found, none: "No offer is open.") { entry in
      let offer = OfferedCredential(entry.record.message)
      return ShownExchange(["content": offer.json], offer.lines(of: entry), agreement: "")
    }
  }

  /// Accepts an offer, after showing it, and waits for the credential.
  func accept() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], .offer)
    if entry.hasEnded {
      try exchanges.requireLateAnswer(of: &entry)
      exchanges.markRead(entry)
    } else if entry.record.state == .open {
      if !entry.record.isUnderway(to: .request) { try entry.record.requireNothingUnderway() }
      let lines = OfferedCredential(entry.record.message).lines(of: entry)
      try confirm("Accept it?", lines + entry.underwayLines)
      if try exchanges.renew(&entry, for: .request) {
        try Progress.showing("asking for the credential") { try request(&entry, exchanges) }
      }
      exchanges.markRead(entry)
    } else if entry.record.state == .waiting {
      try exchanges.advance(&entry)
    }
    try exchanges.wait(for: &entry)
    let awaited = entry.record.isProposed ? "answered the proposal" : "sent the credential"
    try report(entry, done: "The credential is in the wallet.", waiting: "The issuer has not \(awaited) yet")
  }

  private func request(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    try Credential(serialized: entry.record.exchange).fetchObjects(with: session)
    do {
      try exchanges.sending(.request, of: &entry) { [session] entry in
        var credential = try Credential(serialized: entry.record.exchange)
        try credential.sendRequest(over: entry.connection, with: session)
        return credential
      }
    } catch CredentialsError.malformedOffer(let reason) {
      // The library has told the issuer.
      try exchanges.close(&entry, because: reason)
      exchanges.markRead(entry)
      throw Failure("The offer cannot be accepted: \(printable(reason)). The issuer is told.")
    }
  }

  /// Answers an offer with a proposal of other values, for which the issuer may make the next offer.
  func propose() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], .offer)
    if entry.hasEnded { try exchanges.requireLateAnswer(of: &entry) }
    guard entry.record.state == .open else { throw Failure(entry.record.noLongerOpen) }
    let (values, comment) = (arguments.operands[1], arguments[.reason])
    if !entry.record.isUnderway(to: .proposal(values, comment: comment)) { try entry.record.requireNothingUnderway() }
    // The text itself, in which the library finds repeated names, and numbers that a value would write in another way.
    _ = try JSON(parsing: values)
    try Progress.showing("proposing") { try propose(values, &entry, exchanges) }
    exchanges.markRead(entry)
    try arguments.show(entry.json, ["The values are proposed; `msdk offers` shows the answer."])
  }

  private func propose(_ values: String, _ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var (values, comment) = (values, arguments[.reason])
    // The library derives the message's id from its text: the same values in another spelling would be another proposal.
    if case .proposal(let kept, let words) = entry.record.underway { (values, comment) = (kept, words) }
    try exchanges.sending(.proposal(values, comment: comment), of: &entry) {
      [session, values, comment] entry in
      var credential = try Credential(serialized: entry.record.exchange)
      try credential.propose(
        instead: "{\"attributes\":\(values)}", comment: comment, over: entry.connection, with: session)
      return credential
    }
  }

  /// Declines an offer or a request, or withdraws the answer to an offer.
  func decline() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], nil)
    if entry.hasEnded {
      try exchanges.closeEnded(&entry)
      exchanges.markRead(entry)
      guard entry.record.state == .failed else { throw Failure(entry.record.noLongerOpen) }
      return try arguments.show(entry.json, ["\(entry.record.title) is closed: its connection has ended."])
    }
    if let obstacle = try obstacle(toDeclining: entry) { throw Failure(obstacle) }
    try Progress.showing("declining") { try decline(&entry, exchanges, because: reason(forDeclining: entry)) }
    exchanges.markRead(entry)
    guard entry.record.state == .declined else { throw Failure(entry.record.noLongerOpen) }
    try arguments.show(entry.json, ["\(entry.record.title) is declined, and the other side is told."])
  }

  /// The user's words. Throws if the other side may have a refusal with other words already.
  private func reason(forDeclining entry: OpenExchange) throws -> String? {
    guard case .decline(let kept)? = entry.record.underway else { return arguments[.reason] }
    guard let reason = arguments[.reason], reason != kept else { return kept }
    throw Failure(
      "The other side may have your refusal already, which --reason cannot change: `msdk decline \(entry.record.number)` "
        + "without it sends the same one again.")
  }

  func decline(_ entry: inout OpenExchange, _ exchanges: Exchanges, because reason: String?) throws {
    try exchanges.sending(.decline(reason: reason), of: &entry) { [session] entry in
      switch entry.record.kind {
      case .offer:
        var credential = try Credential(serialized: entry.record.exchange)
        try credential.reject(comment: reason, over: entry.connection, with: session)
        return credential
      case .request:
        var proof = try DisclosedProof(serialized: entry.record.exchange)
        try proof.decline(because: reason, over: entry.connection, with: session)
        return proof
      }
    }
  }

  /// The reason why the user cannot decline; nil if the user can.
  private func obstacle(toDeclining entry: OpenExchange) throws -> String? {
    let number = entry.record.number
    switch (entry.record.kind, entry.record.state) {
    case (.offer, .open):
      return entry.record.isUnderway(to: .request)
        ? "The issuer may have your request: `msdk accept \(number)` goes on with it." : nil
    case (.offer, .waiting): return nil
    case (.request, .open):
      return try DisclosedProof(serialized: entry.record.exchange).mayBeSent
        ? "The other side may have the proof already: `msdk present \(number)` sends the same one again." : nil
    default: return entry.record.noLongerOpen
    }
  }
}

// MARK: - Common to offers and requests

extension OpenSession {
  /// The unfinished exchanges of a kind. With `--timeout` it waits until the user can answer one of them.
  func waitForAny(_ kind: ExchangeRecord.Kind) throws -> [OpenExchange] {
    let exchanges = Exchanges(owner: self)
    guard arguments.has(.timeout) else { return try exchanges.unfinished(kind) }
    let end = MonotonicTime.now.after(milliseconds: arguments.timeout * 1000)
    return try Progress.showing("waiting for \(kind == .offer ? "an offer" : "a request")") {
      while true {
        let found = try exchanges.unfinished(kind)
        let left = end.millisecondsLeft
        if left <= 0 || found.contains(where: { $0.record.state == .open }) { return found }
        Terminal.sleep(milliseconds: UInt32(min(left, 500)))
      }
    }
  }

  /// Shows exchanges, each as `describe` shows it.
  func show(_ found: [OpenExchange], none: String, _ describe: (OpenExchange) throws -> ShownExchange) throws {
    for entry in found {
      let shown = try describe(entry)
      var json = entry.json
      for (name, value) in shown.members { json[name] = value }
      try arguments.show(json, shown.lines + [entry.hint(shown.agreement, shown.canDecline), ""])
    }
    if found.isEmpty, !arguments.wantsJSON { try arguments.show([none]) }
  }

  /// Asks the user, after showing `lines`, unless `--yes` answers. Throws if the user does not agree. If the results are
  /// for a program or a file, the lines stand before the question on the terminal.
  func confirm(_ question: String, _ lines: [String]) throws {
    if !arguments.wantsJSON { try arguments.show(lines) }
    guard !arguments.has(.yes) else { return }
    let isShown = !arguments.wantsJSON && Terminal.showsResults
    guard let answer = Terminal.confirm(question, after: isShown ? [] : lines) else {
      throw Failure("There is no terminal to ask: --yes agrees.")
    }
    guard answer else { throw Failure("Nothing was sent.") }
  }

  /// Shows the state of an answered exchange. A waiting exchange is no failure: the same command continues it.
  func report(_ entry: OpenExchange, done: String, waiting: String) throws {
    let record = entry.record
    let reason = record.reason.map { ": \(ContentRow.title($0, longest: 400))" } ?? "."
    switch record.state {
    case .done: try arguments.show(entry.json, [done])
    case .open:
      // The answer to a proposal, which the user has not seen.
      try arguments.show(entry.json, ["Another \(record.kind.rawValue) has come: `msdk \(record.kind.list)` shows it."])
    case .waiting:
      let again = "`msdk \(record.kind.answer) \(record.number)` waits for it again"
      let underway = record.underway.map { " " + $0.sentence(record.number) } ?? ""
      try arguments.show(entry.json, ["\(waiting); \(again).\(underway)"])
    case .declined: throw Failure("\(record.title) is declined.")
    case .failed:
      if arguments.wantsJSON { try arguments.show(entry.json, []) }
      throw Failure("\(record.title) has failed\(reason)")
    }
  }
}

/// An exchange in a list: its members in JSON beside those of all exchanges, its lines, and whether the user can agree.
struct ShownExchange {
  let members: [(String, JSON)]
  let lines: [String]
  /// The options with which the user can agree; nil if the user cannot.
  let agreement: String?
  let canDecline: Bool

  init(
    _ members: KeyValuePairs<String, JSON>, _ lines: [String], agreement: String? = nil, canDecline: Bool = true
  ) {
    (self.members, self.lines) = (members.map { ($0.key, $0.value) }, lines)
    (self.agreement, self.canDecline) = (agreement, canDecline)
  }
}

extension ExchangeRecord {
  fileprivate var title: String { "\(kind == .offer ? "Offer" : "Request") \(number)" }

  fileprivate var noLongerOpen: String { "\(title) is no longer open: it is \(state.rawValue)." }
}

extension OpenExchange {
  var json: JSON {
    [
      "number": .integer(Int64(record.number)), "id": .string(record.uid), "connection": .string(name),
      "state": .string(record.state.rawValue), "underway": JSON(record.underway?.word),
    ]
  }

  /// The line that names the commands which may follow an answer on its way; empty without one.
  fileprivate var underwayLines: [String] { record.underway.map { ["   " + $0.sentence(record.number)] } ?? [] }

  /// The commands that answer the exchange.
  fileprivate func hint(_ agreement: String?, _ canDecline: Bool) -> String {
    let (answer, number) = (record.kind.answer, record.number)
    guard !hasEnded else { return "   The connection has ended; `msdk decline \(number)` closes it." }
    if let line = underwayLines.first { return line }
    if record.state == .waiting {
      let withdrawal = record.kind == .offer ? ", `msdk decline \(number)` withdraws the answer" : ""
      return "   It is answered; `msdk \(answer) \(number)` waits for the other side\(withdrawal)."
    }
    let agree = agreement.map { "`msdk \(answer) \(number)\($0)` \(answer)s it, " } ?? ""
    return canDecline ? "   \(agree)`msdk decline \(number)` declines." : "   \(agree.dropLast(2))."
  }
}
