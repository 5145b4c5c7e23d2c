/// A moment, to the second, in the form of messages (RFC 3339, and the variants of Aries RFC 0074).
package struct Timestamp: Equatable, Comparable, Sendable {
  /// Seconds since the beginning of 1970, in UTC.
  package let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// Reads `2026-11-20T08:37:54Z`. Accepts a blank for the `T`, fractions of a second, and an offset for the `Z`.
  /// Returns nil for anything else.
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard let year = rest.number(4), rest.skip("-"), let month = rest.number(2), rest.skip("-"),
      let day = rest.number(2), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
      rest.skip("Tt "), let hour = rest.number(2), rest.skip(":"), let minute = rest.number(2), hour < 24, minute < 60
    else { return nil }
    var second = 0
    if rest.skip(":") {
      guard let read = rest.number(2), read <= 60 else { return nil }
      second = read
      if rest.skip("."), rest.digits() == 0 { return nil }
    }
    guard let offset = rest.offset(), rest.isEmpty else { return nil }
    let time = (hour * 60 + minute) * 60 + second - offset
    seconds = Int64(Self.daysSince1970(year, month, day) * 86_400 + time)
  }

  /// `2026-11-20T08:37:54Z`
  package var text: String {
    let day = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let (year, month, dayOfMonth) = Self.date(daysSince1970: Int(day))
    let time = Int(seconds - day * 86_400)
    let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
    return "\(date)T\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))Z"
  }

  // The calendar counts years from March and in cycles of 400 years, so that leap days come last.

  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let cycle = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfCycle = shifted - cycle * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return cycle * 146_097 + yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfYear - 719_468
  }

  private static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let cycle = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfCycle = shifted - cycle * 146_097
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let month = ((5 * dayOfYear + 2) / 153 + 2) % 12 + 1
    let day = dayOfYear - (153 * ((month + 9) % 12) + 2) / 5 + 1
    return (yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
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
