internal import Time

/// The time of an entry of a log, in UTC: `2025-01-23T04:12:36Z`, with or without a fraction of a second.
struct VersionTime: Comparable, Sendable {
  let seconds: Int64
  private let nanoseconds: Int64

  init?(_ text: String) {
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard text.hasSuffix("Z"), parts[0].utf8.count == "2025-01-23T04:12:36".utf8.count,
      text.utf8.contains(UInt8(ascii: "T")),
      let time = Timestamp(text)
    else { return nil }
    seconds = time.seconds
    nanoseconds = parts.count == 1 ? 0 : Int64((parts[1] + "000000000").prefix(9)) ?? 0
  }

  static func < (left: VersionTime, right: VersionTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}
