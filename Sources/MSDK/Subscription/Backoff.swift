/// The pauses between attempts that fail: a tenth of a second at first, then twice as long each time, up to a minute. A
/// random part keeps many clients from trying at the same time after a server's restart.
struct Backoff: Sendable {
  private var longest = Self.shortest

  static let shortest = 100
  static let limit = 60_000

  /// The next pause in milliseconds: between a half of the longest pause and the whole of it. `random` returns a number
  /// of the range.
  mutating func next(_ random: (ClosedRange<Int>) -> Int = { Int.random(in: $0) }) -> Int {
    defer { longest = min(longest * 2, Self.limit) }
    return random(longest / 2...longest)
  }

  /// Begins again with the shortest pause, because an attempt has succeeded.
  mutating func reset() { longest = Self.shortest }
}
