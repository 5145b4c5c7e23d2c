/// A point in time in the form of RFC 3339: `2024-05-17T09:30:00.123456+02:00`.
package struct Timestamp: Equatable, Sendable {
  /// Seconds since 1970, the fraction cut off.
  let seconds: Int64

  package init(seconds: Int64) { self.seconds = seconds }

  /// Date and time of day in UTC, to the minute: `2024-05-17 09:30`. Times before 1970 give the text of 1970.
  package var minute: String {
    var days = max(seconds, 0) / 86_400
    var year: Int64 = 1970 + days / 366  // at most the right one, and hardly before it
    while Self.days(before: year + 1, 1, 1) <= days { year += 1 }
    days -= Self.days(before: year, 1, 1)
    var month: Int64 = 1
    while days >= Self.days(in: month, of: year) {
      days -= Self.days(in: month, of: year)
      month += 1
    }
    let minutes = max(seconds, 0) / 60 % 1440
    let parts = [month, days + 1, minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return "\(year)-\(parts[0])-\(parts[1]) \(parts[2]):\(parts[3])"
  }

  /// Returns nil for anything but date, `T`, time, an optional fraction of one to nine digits, and `Z` or an offset.
  init?(_ text: String) {
    var rest = Substring(text)
    guard let year = rest.number(4), rest.drop("-"), let month = rest.number(2), rest.drop("-"),
      let day = rest.number(2), rest.drop("T"), let hour = rest.number(2), rest.drop(":"),
      let minute = rest.number(2), rest.drop(":"), let second = rest.number(2), rest.dropFraction(),
      let offset = rest.offset(), rest.isEmpty
    else { return nil }
    guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
      second < 60
    else { return nil }
    seconds = (Self.days(before: year, month, day) * 24 + hour) * 3600 + minute * 60 + second - offset
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to the date in the Gregorian calendar.
  private static func days(before year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let past = year - 1
    let years = past * 365 + past / 4 - past / 100 + past / 400
    let months = (1..<month).reduce(0) { $0 + days(in: $1, of: year) }
    return years + months + day - 1 - 719_162  // the days before 1970
  }
}

extension Substring {
  fileprivate mutating func number(_ digits: Int) -> Int64? {
    let part = utf8.prefix(digits)
    guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self = self[part.endIndex...]
    return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  fileprivate mutating func drop(_ character: Character) -> Bool {
    guard first == character else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func dropFraction() -> Bool {
    guard drop(".") else { return true }
    let digits = utf8.prefix { (0x30...0x39).contains($0) }
    self = self[digits.endIndex...]
    return (1...9).contains(digits.count)
  }

  /// Seconds east of Greenwich.
  fileprivate mutating func offset() -> Int64? {
    if drop("Z") { return 0 }
    let isEast = drop("+")
    guard isEast || drop("-"), let hours = number(2), drop(":"), let minutes = number(2), hours < 24, minutes < 60
    else { return nil }
    return (isEast ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
