internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Wallet

/// An exchange whose connection the user still has.
struct OpenExchange {
  var record: ExchangeRecord
  let name: String
  var connection: Connection

  /// Whether the exchange is not over although its connection has ended.
  var hasEnded: Bool { connection.word == "ended" && !record.isOver }
}

/// The exchanges that the wallet keeps, as records of the type `exchange` with numbers for ids.
///
/// Each step is in the wallet before the next step begins, so that a killed command can be repeated: the library sends
/// the same message again, and the other side treats both as one.
struct Exchanges {
  let owner: OpenSession

  static let type = "exchange"

  private var session: MSDK.Session { owner.session }

  /// The readable records, by their numbers. Of several records with one message or on one thread only the first counts: two
  /// commands may have noted the message at the same time, or one from its invitation and the other from the mailbox.
  private func records() throws -> [ExchangeRecord] {
    let search = try session.wallet.search(type: Self.type, query: "{}", options: SearchOptions())
    defer { search.close() }
    var found: [ExchangeRecord] = []
    while case let records = try search.next(100).records, !records.isEmpty {
      found += records.compactMap { ExchangeRecord(number: $0.id, $0.value ?? "") }
    }
    var seen: Set<[String]> = []
    return found.sorted { $0.number < $1.number }.filter { record in
      guard seen.insert([record.did, record.uid]).inserted else { return false }
      return record.thread.map { seen.insert([record.did, record.kind.rawValue, $0]).inserted } ?? true
    }
  }

  // MARK: Finding

  /// The exchanges of this kind that are not over, after a look into the mailboxes.
  func unfinished(_ kind: ExchangeRecord.Kind) throws -> [OpenExchange] {
    try refresh().filter { $0.record.kind == kind && !$0.record.isOver }
  }

  /// The exchange with this number, or with the message of this id.
  func find(_ text: String, _ kind: ExchangeRecord.Kind?) throws -> OpenExchange {
    func found() throws -> OpenExchange? {
      try entries().first { entry in
        guard kind == nil || entry.record.kind == kind else { return false }
        return Int(text).map { $0 == entry.record.number } ?? (!text.isEmpty && entry.record.uid == text)
      }
    }
    if let known = try found() { return known }
    _ = try refresh()
    if let new = try found() { return new }
    guard let kind else {
      throw Failure(
        "There is no offer or request \(quoted(text)): `msdk offers` and `msdk proofs` show the ones that are open.")
    }
    if let other = try entries().first(where: { Int(text) == $0.record.number })?.record {
      throw Failure("\(quoted(text)) is no \(kind.rawValue): `msdk \(other.kind.answer) \(other.number)` answers it.")
    }
    throw Failure("There is no \(kind.rawValue) \(quoted(text)): `msdk \(kind.list)` shows the open ones.")
  }

  func entries() throws -> [OpenExchange] {
    let connections = try owner.connections.all()
    return try records().compactMap { record in
      guard let (name, connection) = connections.first(where: { $0.connection.pairwiseDID == record.did }) else {
        return nil
      }
      return OpenExchange(record: record, name: name, connection: connection)
    }
  }

  // MARK: Going on

  /// Applies the answers to waiting exchanges, notes new offers and requests, and returns all exchanges. An offer that
  /// answers a proposal is then read, and begins no exchange of its own.
  private func refresh() throws -> [OpenExchange] {
    var inbox = Inbox(of: owner, tellingConnections: false)
    // The end of a connection ends its exchanges.
    let connections = try inbox.advanceConnections()
    _ = try advanceWaiting()
    let unread = try inbox.unread(of: connections)
    // Another command may have taken some of these messages meanwhile.
    var known = try records()
    for message in unread {
      guard message.isProven, let kind = message.exchange else { continue }
      let earlier = known.first { $0.did == message.did && ($0.uid == message.uid || $0.isContinued(by: message)) }
      if let earlier {
        // A command was killed, or its Cloud Agent failed, after the answer was sent and before the message was marked.
        if earlier.state != .open { try owner.markRead(message.uid, of: message.did) }
      } else if let same = known.first(where: { $0.kind == kind && $0.isOnThread(of: message) }) {
        try pass(message, by: same)
      } else if let new = try note(kind, message.text, uid: message.uid, did: message.did, after: known) {
        known.append(new)
      }
    }
    try noteAttached(besides: &known)
    return try entries()
  }

  /// Gives another message on the thread of an exchange no number: with two numbers, the user could give one message two answers.
  /// The exchange may take the message as the answer to a proposal. If the exchange is over, no answer to the message would count.
  private func pass(_ message: InboxMessage, by same: ExchangeRecord) throws {
    guard same.isOver else {
      _ = readable(same.kind, message.text, uid: message.uid, did: message.did, as: same.number)
      return
    }
    // The other side may have sent it before it read a refusal.
    if same.state != .declined {
      let kind = same.kind.rawValue
      Terminal.complain(
        "Another \(kind) has come for \(kind) \(same.number), which is over, and cannot be answered: the other side has to begin "
          + "a new exchange.")
    }
    try owner.markRead(message.uid, of: message.did)
  }

  /// The message in an invitation is the first message of its connection.
  private func noteAttached(besides known: inout [ExchangeRecord]) throws {
    for (_, connection) in try owner.connections.all() where connection.word == "connected" && connection.isInvitee {
      let did = connection.pairwiseDID
      guard !did.isEmpty, !known.contains(where: { $0.did == did && $0.uid.isEmpty }),
        let message = try? MessageText(parsing: connection.invitationText).attachedMessage(),
        let kind = ExchangeRecord.Kind(ofMessage: message),
        !known.contains(where: { $0.did == did && $0.kind == kind && $0.isOnThread(of: message) }),
        let new = try note(kind, message, uid: "", did: did, after: known)
      else { continue }
      known.append(new)
    }
  }

  /// Gives a message the next number. Returns nil if nobody could answer the message.
  private func note(
    _ kind: ExchangeRecord.Kind, _ message: String, uid: String, did: String, after known: [ExchangeRecord]
  ) throws -> ExchangeRecord? {
    let number = (known.map(\.number).max() ?? 0) + 1
    return try readable(kind, message, uid: uid, did: did, as: number).map(add)
  }

  /// A record for a message. Returns nil, and says why, if nobody could answer the message.
  private func readable(
    _ kind: ExchangeRecord.Kind, _ message: String, uid: String, did: String, as number: Int
  ) -> ExchangeRecord? {
    do { return try ExchangeRecord(number: number, kind, message, uid: uid, did: did) } catch {
      Terminal.complain("The \(kind.rawValue) \(quoted(uid)) cannot be used: \(asSentence("\(error)"))")
      return nil
    }
  }

  /// Adds a record. If another command has taken its number, the record gets the next one.
  private func add(_ record: ExchangeRecord) throws(WalletError) -> ExchangeRecord {
    var record = record
    while true {
      do throws(WalletError) {
        try session.wallet.apply(.add(Record(type: Self.type, id: String(record.number), value: record.value)))
        return record
      } catch {
        guard error == .recordExists else { throw error }
        record.number += 1
      }
    }
  }

  /// Marks the message of an answered exchange, so that no other program answers it. If that fails, the next command
  /// marks it.
  func markRead(_ entry: OpenExchange) {
    guard !entry.record.uid.isEmpty else { return }
    do { try owner.markRead(entry.record.uid, of: entry.record.did) } catch {
      Terminal.complain(asSentence("\(error)") + " The message stays unread until the next look.")
    }
  }
}

extension ExchangeRecord {
  fileprivate func isOnThread(of message: InboxMessage) -> Bool { did == message.did && isOnThread(of: message.text) }

  /// Whether a message is on the thread of the exchange.
  fileprivate func isOnThread(of message: String) -> Bool { thread != nil && thread == Self.thread(of: message) }

  /// Whether the exchange has taken the message already: the other side has sent it twice, or it answers a proposal.
  fileprivate func isContinued(by message: InboxMessage) -> Bool {
    kind == message.exchange && isOnThread(of: message) && hasTaken(message.text)
  }
}

extension ExchangeRecord.Kind {
  /// The kind of exchange that a message begins; nil for other messages.
  fileprivate init?(ofMessage text: String) {
    guard let type = (try? JSON(parsing: text))?["@type"]?.string else { return nil }
    let parts = type.split(separator: "/").suffix(3)
    switch (parts.first, parts.last) {
    case ("issue-credential", "offer-credential"): self = .offer
    case ("present-proof", "request-presentation"): self = .request
    default: return nil
    }
  }
}
