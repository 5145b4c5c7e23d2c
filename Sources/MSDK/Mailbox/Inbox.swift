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
  /// The number of messages that this process has added.
  private static let count = Locked<Int64>(0)
  /// The read messages; nil before the first use.
  private let read = Locked<ReadMessages?>(nil)

  init(in wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.inbox", in: wallet)
  }

  /// A message and the pairwise DID of its mailbox.
  struct Place: Equatable {
    let pairwiseDID: String
    let uid: String

    var id: String { "\(pairwiseDID) \(uid)" }
  }

  private enum Tag {
    static let (mailbox, uid, status, order) = ("mailbox", "uid", "status", "order")
    /// The names of the tags of read messages.
    static let (time, size) = ("time", "size")
  }
}

// MARK: - Writing

extension Inbox {
  /// Adds unread messages in one transaction. Does not change messages that are in the inbox.
  func add(_ messages: [(pairwiseDID: String, message: StoredMessage)]) throws {
    guard !messages.isEmpty else { return }
    try wallet.make(
      messages.map { did, message in
        let place = Place(pairwiseDID: did, uid: message.uid)
        return records.addingUnlessPresent(
          place.id, value: message.text, tags: tags(of: place, .received, at: nextOrder()))
      })
  }

  /// Keeps a message that an object has applied, so that the object can apply it again after an interruption.
  func keep(_ message: StoredMessage, at place: Place) throws {
    let text = message.text
    let entry = ReadMessages.Entry(place: place, status: .reviewed, time: systemClock(), size: text.utf8.count)
    let order = try records.find(place.id)?.tags[Tag.order] ?? nextOrder()
    try commit([records.putting(place.id, value: text, tags: tags(of: entry, at: order))]) { $0.note(entry) }
  }

  /// Sets the status of messages in one transaction. Ignores messages that are not in the inbox.
  func set(_ status: MessageStatus, of messages: [ConnectionUIDs]) throws {
    let places = messages.flatMap { connection in
      connection.uids.map { Place(pairwiseDID: connection.pairwiseDID, uid: $0) }
    }
    let old = try readOnly { read in places.map { read.status(of: $0) ?? .received } }
    let (time, isRead) = (systemClock(), status != .received)
    var (entries, changes): ([ReadMessages.Entry], [LibraryChange]) = ([], [])
    for (place, old) in zip(places, old) where old != status {
      guard let record = try records.find(place.id) else { continue }
      let order = record.tags[Tag.order] ?? nextOrder()
      let entry = ReadMessages.Entry(place: place, status: status, time: time, size: record.value.utf8.count)
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

  /// Makes the changes, together with the removal of expired read messages, and then calls `note`: a message counts as
  /// read once it is on the disk.
  private func commit(_ changes: [LibraryChange], _ note: (inout ReadMessages) -> Void) throws {
    guard !changes.isEmpty else { return }
    let over = try read.withLock { read in
      var messages = try read ?? readMessages()
      read = messages
      note(&messages)
      return messages.takeOver(at: systemClock())
    }
    try wallet.make(changes + over.map { records.removing($0.id) })
    read.withLock { read in
      guard var messages = read.take() else { return }
      if !over.isEmpty { messages.remove { over.contains($0.place) } }
      note(&messages)
      read = messages
    }
  }

  /// Sorts messages by their arrival, also across restarts of the process.
  private func nextOrder() -> String {
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    return String(systemClock() << 24 + number)
  }

  private func tags(of place: Place, _ status: MessageStatus, at order: String) -> Tags {
    [Tag.mailbox: place.pairwiseDID, Tag.uid: place.uid, Tag.status: status.code, Tag.order: order]
  }

  private func tags(of entry: ReadMessages.Entry, at order: String) -> Tags {
    var tags = tags(of: entry.place, entry.status, at: order)
    (tags[Tag.time], tags[Tag.size]) = (String(entry.time), String(entry.size))
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
    try readOnly { $0.places(in: mailbox.pairwiseDID.text, .reviewed) }
  }

  /// Whether an object has applied the message.
  func isApplied(_ place: Place) throws -> Bool { try readOnly { $0.status(of: place) == .reviewed } }

  private func readOnly<Result>(_ body: (ReadMessages) -> Result) throws -> Result {
    try read.withLock { read in
      let messages = try read ?? readMessages()
      read = messages
      return body(messages)
    }
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
        place: Place(pairwiseDID: did, uid: uid), status: MessageStatus(code: status), time: time, size: size)
    }
    return ReadMessages(entries.sorted { $0.time < $1.time })
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
