/// Values that are remembered up to a total weight. The oldest ones are forgotten first.
///
/// Strangers may choose the keys and the values, so neither their number nor their size is known before.
package struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let value: Value
    let weight: Int
  }

  private let limit: Int
  private var entries: [Key: Entry] = [:]
  /// The keys, the oldest first.
  private var order: [Key] = []
  private var weight = 0

  /// `limit` is the most that all values weigh together, in the unit of their weights.
  package init(limit: Int) { self.limit = limit }

  package subscript(key: Key) -> Value? { entries[key]?.value }

  /// Remembers a value as the newest one, in place of a former value of the key. A value that is heavier than the limit is
  /// not remembered.
  package mutating func keep(_ value: Value, for key: Key, weight: Int) {
    remove(key)
    guard weight <= limit else { return }
    while self.weight > limit - weight, let oldest = order.first { remove(oldest) }
    entries[key] = Entry(value: value, weight: weight)
    order.append(key)
    self.weight += weight
  }

  /// Forgets a value, and returns it.
  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    guard let entry = entries.removeValue(forKey: key) else { return nil }
    weight -= entry.weight
    order.removeAll { $0 == key }
    return entry.value
  }
}
