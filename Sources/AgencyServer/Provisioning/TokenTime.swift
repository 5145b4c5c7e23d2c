internal import Time

extension Timestamp {
  /// The time of a token: date, `T`, time with seconds, an optional fraction of one to nine digits, and `Z` or an offset.
  /// Nil for anything else. A sponsor signs the time between other texts, with nothing in between: it has one spelling, so
  /// that nobody can cut the signed text at another place.
  init?(ofToken text: String) {
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let shape = text.utf8.map { isDigit($0) ? UInt8(ascii: "0") : $0 }
    let start = Array("0000-00-00T00:00:00".utf8)
    guard shape.starts(with: start) else { return nil }
    var end = shape.dropFirst(start.count)
    if end.first == UInt8(ascii: ".") {
      let digits = end.dropFirst().prefix(while: isDigit).count
      guard (1...9).contains(digits) else { return nil }
      end = end.dropFirst(1 + digits)
    }
    guard ["Z", "+00:00", "-00:00"].contains(where: { end.elementsEqual($0.utf8) }) else { return nil }
    self.init(text)
  }
}
