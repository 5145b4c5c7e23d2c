internal import Platform

/// A moment, to the second, in the form of messages and tokens (RFC 3339, and the variants of Aries RFC 0074).
package struct Timestamp: Equatable, Comparable, Sendable {
  /// Seconds since the beginning of 1970, in UTC.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// Reads `2026-11-20T08:37:54Z`. Accepts a blank for the `T`, missing seconds, fractions of a second, and an offset for
  /// the `Z`. Returns nil for anything else.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), let midnight = Self.midnight(year, month, day), rest.skip("Tt "),
      let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), hour < 24, minute < 60
    else { return nil }
    var second = 0
    if rest.skip(":") {
      guard let read = rest.number(2), read <= 60 else { return nil }
      second = read
      if rest.skip("."), rest.digits() == 0 { return nil }
    }
    guard let offset = rest.offset(), rest.isEmpty else { return nil }
    seconds = midnight + Int64((hour * 60 + minute) * 60 + second - offset)
  }

  /// `2026-11-20T08:37:54Z`
  package var text: String {
    let time = calendar
    return "\(Self.date(time))T\(Self.minute(time)):\(padded(Int(time.tm_sec), 2))Z"
  }

  /// Date and time of day in UTC, to the minute: `2026-11-20 08:37`.
  package var minute: String {
    let time = calendar
    return "\(Self.date(time)) \(Self.minute(time))"
  }

  /// Year, month, day and time of day in UTC. The beginning of 1970 for a year that does not fit 32 bits.
  private var calendar: tm {
    var (time, seconds) = (tm(), time_t(self.seconds))
    if gmtime_r(&seconds, &time) == nil {
      seconds = 0
      gmtime_r(&seconds, &time)
    }
    return time
  }

  private static func date(_ time: tm) -> String {
    "\(padded(Int(time.tm_year) + 1900, 4))-\(padded(Int(time.tm_mon) + 1, 2))-\(padded(Int(time.tm_mday), 2))"
  }

  private static func minute(_ time: tm) -> String { "\(padded(Int(time.tm_hour), 2)):\(padded(Int(time.tm_min), 2))" }

  /// The beginning of a day. Nil if the month has no such day, or the year no such month, because the system would read
  /// such a date as a later one.
  private static func midnight(_ year: Int, _ month: Int, _ day: Int) -> Int64? {
    var date = tm()
    (date.tm_year, date.tm_mon, date.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
    let seconds = timegm(&date)
    return date.tm_mon == month - 1 && date.tm_mday == day ? Int64(seconds) : nil
  }
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

extension Substring.UTF8View {
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Skips one of these characters if it comes next.
  fileprivate mutating func skip(_ characters: StaticString) -> Bool {
    guard let first, "\(characters)".utf8.contains(first) else { return false }
    removeFirst()
    return true
  }

  /// Reads exactly `count` digits.
  fileprivate mutating func number(_ count: Int) -> Int? {
    let digits = prefix(count)
    guard digits.count == count, digits.allSatisfy(Self.isDigit) else { return nil }
    removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// Skips digits and returns their number.
  fileprivate mutating func digits() -> Int {
    let count = prefix(while: Self.isDigit).count
    removeFirst(count)
    return count
  }

  /// Seconds east of Greenwich: `Z`, `+01:00`, or `+0100` as in RFC 0113.
  fileprivate mutating func offset() -> Int? {
    if skip("Zz") { return 0 }
    let isWest = first == UInt8(ascii: "-")
    guard skip("+-"), let hours = number(2), hours < 24 else { return nil }
    _ = skip(":")
    guard let minutes = number(2), minutes < 60 else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes) * 60
  }
}
