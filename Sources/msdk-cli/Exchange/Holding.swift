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
    if entry.record.state == .open {
      try confirm("Accept it?", OfferedCredential(entry.record.message).lines(of: entry))
      try exchanges.requireUnchanged(entry)
      try Progress.showing("asking for the credential") { try request(&entry, exchanges) }
      exchanges.markRead(entry)
    }
    try exchanges.wait(for: &entry)
    try report(entry, done: "The credential is in the wallet.", waiting: "The issuer has not sent the credential yet")
  }

  private func request(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    var credential = try Credential(serialized: entry.record.exchange)
    do { try credential.sendRequest(over: entry.connection, with: session) } catch let error as DeliveryError
      where error.mayHaveArrived
    {
      throw Failure(
        asSentence("\(error)") + " The request may have arrived nevertheless: `msdk accept "
          + "\(entry.record.number)` sends the same one again.")
    }
    try exchanges.keep(credential, of: &entry)
  }

  /// Answers an offer with a proposal of other values, for which the issuer may make the next offer.
  func propose() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], .offer)
    guard entry.record.state == .open else {
      throw Failure("\(entry.record.title) is no longer open: it is \(entry.record.state.rawValue).")
    }
    // The text itself, in which the library finds repeated names, and numbers that a value would write in another way.
    _ = try JSON(parsing: arguments.operands[1])
    let proposal = "{\"attributes\":\(arguments.operands[1])}"
    try Progress.showing("proposing") {
      var credential = try Credential(serialized: entry.record.exchange)
      guard try !credential.mayBeRequested(over: entry.connection, with: session) else {
        throw Failure("The issuer may have your request: `msdk accept \(entry.record.number)` goes on with it.")
      }
      try credential.propose(
        instead: proposal, comment: arguments[.reason], over: entry.connection, with: session)
      try exchanges.keep(credential, of: &entry)
    }
    exchanges.markRead(entry)
    try arguments.show(entry.json, ["The values are proposed; `msdk offers` shows the answer."])
  }

  /// Declines an offer or a request.
  func decline() throws {
    let exchanges = Exchanges(owner: self)
    var entry = try exchanges.find(arguments.operands[0], nil)
    guard entry.record.state == .open else {
      throw Failure("\(entry.record.title) is no longer open: it is \(entry.record.state.rawValue).")
    }
    try Progress.showing("declining") { try decline(&entry, exchanges) }
    exchanges.markRead(entry)
    try arguments.show(entry.json, ["\(entry.record.title) is declined, and the other side is told."])
  }

  private func decline(_ entry: inout OpenExchange, _ exchanges: Exchanges) throws {
    let reason = arguments[.reason]
    switch entry.record.kind {
    case .offer:
      var credential = try Credential(serialized: entry.record.exchange)
      try credential.reject(comment: reason, over: entry.connection, with: session)
      try exchanges.keep(credential, of: &entry)
    case .request:
      var proof = try DisclosedProof(serialized: entry.record.exchange)
      guard !proof.mayBeSent else {
        throw Failure(
          "The other side may have the proof already: `msdk present \(entry.record.number)` sends the same one again.")
      }
      try proof.decline(because: reason, over: entry.connection, with: session)
      try exchanges.keep(proof, of: &entry)
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
      try arguments.show(entry.json, ["\(waiting); \(again)."])
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
}

extension OpenExchange {
  var json: JSON {
    [
      "number": .integer(Int64(record.number)), "id": .string(record.uid), "connection": .string(name),
      "state": .string(record.state.rawValue),
    ]
  }

  /// The commands that answer the exchange.
  fileprivate func hint(_ agreement: String?, _ canDecline: Bool) -> String {
    let (answer, number) = (record.kind.answer, record.number)
    if record.state == .waiting { return "   It is answered; `msdk \(answer) \(number)` waits for the other side." }
    let agree = agreement.map { "`msdk \(answer) \(number)\($0)` \(answer)s it, " } ?? ""
    return canDecline ? "   \(agree)`msdk decline \(number)` declines." : "   \(agree.dropLast(2))."
  }
}
