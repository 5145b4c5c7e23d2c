internal import CloudAgent

/// The read messages of the inbox, the oldest first, and their expiry. Each stays for a week, unless there are too many, or
/// their texts are too large: then the mailbox with the most loses some. So no peer pushes out the messages of another.
///
/// A program needs the text of a read message only until it has stored the object that has applied it.
struct ReadMessages: Sendable {
  struct Entry: Equatable, Sendable {
    let place: Inbox.Place
    let status: MessageStatus
    /// The time when the message was read, in seconds since 1970.
    let time: Int64
    var size: Int
    /// Whether an object has applied the message, and may lose the effect. Such messages go last.
    var isKept = false
    /// The number in the order of arrival, as the wallet has it; nil before the message is there.
    var order: String?

    var number: Int64 { order.flatMap { Int64($0) } ?? .max }
  }

  private(set) var entries: [Entry]
  private var size: Int

  static let lifetime: Int64 = 7 * 24 * 3600
  static let maximumCount = 1_000
  /// The limit for all sizes together. A backup contains the inbox, and its size is limited too.
  static let maximumSize = 2 << 20
  /// To look for expired messages costs reading all. So they go some time later, and beyond a limit several go at once.
  private static let patience: Int64 = 3600
  private static func rest(of limit: Int) -> Int { limit / 8 * 7 }

  /// Takes the entries in their order.
  init(_ entries: [Entry] = []) {
    self.entries = entries
    size = entries.reduce(0) { $0 + $1.size }
  }

  /// Adds a message, and replaces its earlier entry.
  mutating func note(_ entry: Entry) {
    remove { $0.place == entry.place }
    entries.append(entry)
    size += entry.size
  }

  mutating func remove(where isGone: (Entry) -> Bool) {
    guard entries.contains(where: isGone) else { return }
    self = ReadMessages(entries.filter { !isGone($0) })
  }

  /// Whether some messages have to go.
  func isFull(at now: Int64) -> Bool {
    entries.count > Self.maximumCount || size > Self.maximumSize
      || entries.first.map { $0.time + Self.lifetime + Self.patience < now } ?? false
  }

  /// Removes the expired messages, and the texts beyond the limit. Returns their places, and the entries that have lost
  /// their texts. The newest message always stays for its week.
  mutating func takeOver(at now: Int64) -> (gone: [Inbox.Place], emptied: [Entry]) {
    var gone = entries.filter { $0.time + Self.lifetime < now }.map(\.place)
    entries.removeAll { $0.time + Self.lifetime < now }
    if entries.count > Self.maximumCount {
      while entries.count > Self.rest(of: Self.maximumCount), let next = next(by: { _ in 1 }) {
        gone.append(entries.remove(at: next).place)
      }
    }
    self = ReadMessages(entries)
    var emptied: [Entry] = []
    if size > Self.maximumSize {
      while size > Self.rest(of: Self.maximumSize), let next = next(by: \.size) {
        size -= entries[next].size
        entries[next].size = 0
        emptied.append(entries[next])
      }
    }
    return (gone, emptied)
  }

  /// The message that goes next: of the mailbox with the most, the oldest one that no object may need again.
  private func next(by measure: (Entry) -> Int) -> Int? {
    let candidates = entries.indices.dropLast().filter { measure(entries[$0]) > 0 }
    var sums: [String: Int] = [:]
    for index in candidates { sums[entries[index].place.pairwiseDID, default: 0] += measure(entries[index]) }
    guard let most = sums.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { return nil }
    let own = candidates.filter { entries[$0].place.pairwiseDID == most }
    return own.first { !entries[$0].isKept } ?? own.first
  }
}
