internal import JSON
internal import Threading

/// The status lists from registries: each counts from its own timestamp until the time of the request.
struct StatusListMemory: Sendable {
  /// Ledgers may still add to the last minute.
  private static let unsettled: Int64 = 60
  private static let mostPerRegistry = 16
  /// The most bytes of all lists.
  private static let mostBytes = 16 << 20

  private struct Entry: Sendable {
    let list: PublicObject
    let timestamp: Int64
    let asked: Int64
    let fetched: Int64

    /// Returns true if a registry asked again would answer with this list, as far as its clock and ours agree.
    func serves(_ time: Int64, now: Int64) -> Bool {
      if time == asked, servesItsOwnTime(now: now) { return true }
      return timestamp <= time && time <= min(asked, fetched - StatusListMemory.unsettled)
    }

    /// The same request is answered from memory for a minute. A request for the present second is not: a list that is
    /// published later in that second has the same timestamp, and then counts.
    private func servesItsOwnTime(now: Int64) -> Bool {
      now < fetched + StatusListMemory.unsettled && (asked < fetched || now == fetched)
    }
  }

  private var entries = BoundedMemory<ExactText, [Entry]>(limit: StatusListMemory.mostBytes)

  func list(of id: String, at time: Int64, now: Int64) -> PublicObject? {
    entries[ExactText(id)]?.last { $0.serves(time, now: now) }?.list
  }

  /// Forgets the lists of a registry whose status has changed.
  mutating func forget(_ id: String) { entries.remove(ExactText(id)) }

  mutating func keep(_ list: PublicObject, of id: String, at time: Int64, now: Int64) {
    guard let timestamp = list.json["timestamp"]?.integer else { return }
    let key = ExactText(id)
    let entry = Entry(list: list, timestamp: timestamp, asked: time, fetched: now)
    let known = Array((entries[key] ?? []).suffix(Self.mostPerRegistry - 1)) + [entry]
    let bytes = known.reduce(0) { $0 + $1.list.text.utf8.count }
    entries.keep(known, for: key, weight: id.utf8.count + bytes)
  }
}
