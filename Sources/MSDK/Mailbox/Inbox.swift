internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
internal import Threading
internal import Time
internal import Wallet

/// Messages in the wallet, with a record for each.
///
/// If a Cloud Agent only passes messages on, the inbox has all its messages. For every Cloud Agent the inbox has the
/// messages that an object has applied: a program may end before it has stored the object, and the restored object
/// applies them again. `ReadMessages` decides how long read messages stay.
final class Inbox: Sendable {
  private let wallet: Wallet
  private let records: LibraryRecords
  /// The wallet's counter of messages, by which they are sorted.
  private let counter: LibraryRecords
  private static let counterID = "last"
  /// The read messages as far as this process knows them, to notice that they are too many; nil before the first use. Only
  /// the wallet tells which messages there are: other processes change them too.
  private let read = Locked<ReadMessages?>(nil)

  init(in wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.inbox", in: wallet)
    counter = LibraryRecords(of: "msdk.inbox-order", in: wallet)
  }

  /// A message and the pairwise DID of its mailbox.
  struct Place: Hashable {
    let pairwiseDID: String
    let uid: String

    var id: String { "\(pairwiseDID) \(uid)" }
  }

  private enum Tag {
    static let (mailbox, uid, status, order) = ("mailbox", "uid", "status", "order")
    /// The names of the tags of read messages.
    static let (time, size, kept) = ("time", "size", "kept")
  }
}

// MARK: - Writing

extension Inbox {
  /// Adds unread messages in one transaction. Does not change messages that are in the inbox.
  func add(_ messages: [(pairwiseDID: String, message: StoredMessage)]) throws {
    guard !messages.isEmpty else { return }
    let change = try numbered(messages.count) { [self] first in
      zip(first..., messages).map { order, entry in
        let place = Place(pairwiseDID: entry.pairwiseDID, uid: entry.message.uid)
        return records.addingUnlessPresent(
          place.id, value: entry.message.text, tags: tags(of: place, .received, at: String(order)))
      }
    }
    try wallet.make([change])
  }

  /// Keeps messages that an object has applied, so that the object can apply them again after an interruption. `change` is
  /// made in the same transaction.
  func keep(_ messages: [StoredMessage], of pairwiseDID: String, beside change: LibraryChange? = nil) throws {
    var (entries, changes): ([ReadMessages.Entry], [LibraryChange]) = ([], [])
    for message in messages {
      let (place, text) = (Place(pairwiseDID: pairwiseDID, uid: message.uid), message.text)
      let entry = ReadMessages.Entry(
        place: place, status: .reviewed, time: systemClock(), size: text.utf8.count, isKept: true,
        order: try records.find(place.id)?.tags[Tag.order])
      entries.append(entry)
      let putting = { @Sendable [self] (order: String) in
        records.putting(place.id, value: text, tags: tags(of: entry, at: order))
      }
      changes.append(try entry.order.map(putting) ?? numbered(1) { [putting(String($0))] })
    }
    try commit(changes + [change].compactMap(\.self)) { read in entries.forEach { read.note($0) } }
  }

  /// Sets the status of messages in one transaction. Ignores messages that are not in the inbox.
  func set(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws {
    let places = messages.flatMap { connection in
      connection.uids.map { Place(pairwiseDID: connection.pairwiseDID, uid: $0) }
    }
    let (time, isRead) = (systemClock(), status != .received)
    var (entries, changes): ([ReadMessages.Entry], [LibraryChange]) = ([], [])
    for place in places {
      guard let record = try records.find(place.id), record.tags[Tag.status] != status.code else { continue }
      let order = record.tags[Tag.order] ?? "0"
      let entry = ReadMessages.Entry(
        place: place, status: status, time: time, size: record.value.utf8.count,
        isKept: record.tags[Tag.kept] != nil, order: order)
      entries.append(entry)
      changes.append(
        records.tagging(place.id, isRead ? tags(of: entry, at: order) : tags(of: place, status, at: order)))
    }
    try commit(changes) { read in
      for entry in entries {
        if isRead { read.note(entry) } else { read.remove { $0.place == entry.place } }
      }
    }
  }

  /// Removes the messages of a closed mailbox. If that fails, it only logs the failure.
  func empty(_ mailbox: Mailbox) {
    do {
      let did = mailbox.pairwiseDID.text
      let places = try find([did], MessageFilter())
      guard !places.isEmpty else { return }
      try commit(places.map { records.removing($0.id) }) { read in read.remove { $0.place.pairwiseDID == did } }
    } catch {
      Log.warning("the messages of a closed mailbox could not be removed: \(error)")
    }
  }

  /// Makes the changes, and then removes expired read messages. `note` makes the same changes to the known ones.
  private func commit(_ changes: [LibraryChange], _ note: (inout ReadMessages) -> Void) throws {
    guard !changes.isEmpty else { return }
    try wallet.make(changes)
    do {
      let isFull = try read.withLock { read in
        var messages = try read ?? readMessages()
        note(&messages)
        read = messages
        return messages.isFull(at: systemClock())
      }
      if isFull { try tidy() }
    } catch {
      Log.warning("the read messages could not be tidied up: \(error)")
    }
  }

  /// Removes the expired messages, and the texts of others. An id stays longer than its text: with it, a message that
  /// comes again is known.
  private func tidy() throws {
    var messages = try readMessages()
    let over = messages.takeOver(at: systemClock())
    read.withLock { $0 = messages }
    let emptied = over.emptied.map { entry in
      records.putting(entry.place.id, value: "", tags: tags(of: entry, at: entry.order ?? "0"))
    }
    try wallet.make(over.gone.map { records.removing($0.id) } + emptied)
  }

  /// The change that `changes` makes from the next numbers of the wallet, the first of `count` being given. The clock plays
  /// no part: it may be set back, and processes would share a second.
  private func numbered(
    _ count: Int, _ changes: @escaping @Sendable (Int64) -> [LibraryChange]
  ) throws -> LibraryChange {
    // An older version has given numbers without a counter.
    let start = try counter.find(Self.counterID) == nil ? highestOrder() : 0
    return counter.counting(Self.counterID, by: count, behind: start, changes)
  }

  private func highestOrder() throws -> Int64 {
    try tags(of: "{}").compactMap { $0[Tag.order].flatMap { Int64($0) } }.max() ?? 0
  }

  private func tags(of place: Place, _ status: MessageStatus, at order: String) -> Tags {
    [Tag.mailbox: place.pairwiseDID, Tag.uid: place.uid, Tag.status: status.code, Tag.order: order]
  }

  private func tags(of entry: ReadMessages.Entry, at order: String) -> Tags {
    var tags = tags(of: entry.place, entry.status, at: order)
    (tags[Tag.time], tags[Tag.size]) = (String(entry.time), String(entry.size))
    if entry.isKept { tags[Tag.kept] = "1" }
    return tags
  }
}

// MARK: - Reading

extension Inbox {
  /// The places of the messages that meet the filter, in the order in which they were added; in all mailboxes if the
  /// list is empty.
  func find(_ pairwiseDIDs: [String], _ filter: MessageFilter) throws -> [Place] {
    var query = JSONObject()
    for (tag, values) in [
      (Tag.mailbox, pairwiseDIDs), (Tag.status, filter.statuses.map(\.code)), (Tag.uid, filter.uids),
    ] where !values.isEmpty {
      query[tag] = ["$in": JSON(values)]
    }
    var found = try search(JSON.object(query).text)[...]
    if let last = filter.after, let place = found.firstIndex(where: { $0.uid == last }) {
      found = found[(place + 1)...]
    }
    return Array(found)
  }

  /// The message at a place; nil if it has been removed.
  func message(at place: Place) throws -> StoredMessage? {
    guard let record = try records.find(place.id), let json = try? JSON(parsing: record.value).requireObject() else {
      return nil
    }
    return StoredMessage(json, uid: place.uid, status: MessageStatus(code: record.tags[Tag.status] ?? ""))
  }

  /// The messages of a mailbox that objects have applied, the oldest first.
  func applied(in mailbox: Mailbox) throws -> [Place] {
    try find([mailbox.pairwiseDID.text], MessageFilter(statuses: [.reviewed]))
  }

  /// Whether an object has applied the message, in this process or in another.
  func isApplied(_ place: Place) throws -> Bool {
    try records.find(place.id)?.tags[Tag.status] == MessageStatus.reviewed.code
  }

  private func search(_ query: String) throws -> [Place] {
    let found = try tags(of: query).compactMap { tags -> (order: Int64, place: Place)? in
      guard let did = tags[Tag.mailbox], let uid = tags[Tag.uid] else { return nil }
      return (tags[Tag.order].flatMap { Int64($0) } ?? 0, Place(pairwiseDID: did, uid: uid))
    }
    return found.sorted { $0.order < $1.order }.map(\.place)
  }

  private func readMessages() throws -> ReadMessages {
    let entries = try tags(of: "{}").compactMap { tags -> ReadMessages.Entry? in
      guard let did = tags[Tag.mailbox], let uid = tags[Tag.uid], let status = tags[Tag.status],
        let time = tags[Tag.time].flatMap({ Int64($0) }), let size = tags[Tag.size].flatMap({ Int($0) })
      else { return nil }
      return ReadMessages.Entry(
        place: Place(pairwiseDID: did, uid: uid), status: MessageStatus(code: status), time: time, size: size,
        isKept: tags[Tag.kept] != nil, order: tags[Tag.order])
    }
    return ReadMessages(entries.sorted { ($0.time, $0.number) < ($1.time, $1.number) })
  }

  private func tags(of query: String) throws -> [Tags] {
    var retrieval = Retrieval()
    retrieval.value = false
    let search = try records.search(query, retrieving: retrieval)
    defer { search.close() }
    return try search.next(.max).records.compactMap(\.tags)
  }
}

// MARK: - The form of a message

extension StoredMessage {
  fileprivate var text: String {
    let json: JSON = [
      "senderDID": .string(senderDID), "type": .string(type), "envelope": envelope ?? .null,
      "refMsgId": JSON(refMsgID),
    ]
    return json.text
  }

  fileprivate init(_ json: JSONObject, uid: String, status: MessageStatus) {
    let envelope = json["envelope"].flatMap { $0.isNull ? nil : $0 }
    self.init(
      uid: uid, status: status, senderDID: json["senderDID"]?.string ?? "", type: json["type"]?.string ?? "",
      payload: envelope, envelope: envelope, refMsgID: json["refMsgId"]?.string)
  }
}
