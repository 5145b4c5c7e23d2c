internal import CloudAgent

/// The read messages of the inbox, the oldest first, and their expiry: each stays for a week, unless 1,000 later
/// messages, or later messages of 2 MiB, have been read.
///
/// A program needs a read message only until it has stored the object that has applied it.
struct ReadMessages: Sendable {
  struct Entry: Equatable, Sendable {
    let place: Inbox.Place
    let status: MessageStatus
    /// The time when the message was read, in seconds since 1970.
    let time: Int64
    let size: Int
  }

  private var entries: [Entry]
  private var statuses: [String: MessageStatus]
  private var size: Int

  static let lifetime: Int64 = 7 * 24 * 3600
  static let maximumCount = 1_000
  /// The limit for all sizes together. A backup contains the inbox, and its size is limited too.
  static let maximumSize = 2 << 20

  /// Takes the entries in their order.
  init(_ entries: [Entry] = []) {
    self.entries = entries
    statuses = Dictionary(entries.map { ($0.place.id, $0.status) }) { $1 }
    size = entries.reduce(0) { $0 + $1.size }
  }

  /// Adds a message, and replaces its earlier entry.
  mutating func note(_ entry: Entry) {
    if statuses[entry.place.id] != nil { remove { $0.place == entry.place } }
    entries.append(entry)
    statuses[entry.place.id] = entry.status
    size += entry.size
  }

  mutating func remove(where isGone: (Entry) -> Bool) { self = ReadMessages(entries.filter { !isGone($0) }) }

  /// Removes the expired messages, and returns their places. The newest message always stays for its week.
  mutating func takeOver(at now: Int64) -> [Inbox.Place] {
    var rest = entries[...]
    while let oldest = rest.first,
      oldest.time + Self.lifetime < now
        || (rest.count > 1 && (rest.count > Self.maximumCount || size > Self.maximumSize))
    {
      size -= oldest.size
      statuses[oldest.place.id] = nil
      rest = rest.dropFirst()
    }
    let over = entries[..<rest.startIndex].map(\.place)
    if !over.isEmpty { entries = Array(rest) }
    return over
  }

  /// Nil for a message that is not read.
  func status(of place: Inbox.Place) -> MessageStatus? { statuses[place.id] }

  func places(in pairwiseDID: String, _ status: MessageStatus) -> [Inbox.Place] {
    entries.filter { $0.place.pairwiseDID == pairwiseDID && $0.status == status }.map(\.place)
  }
}
