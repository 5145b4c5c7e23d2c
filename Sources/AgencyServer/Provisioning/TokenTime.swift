internal import Time

extension Timestamp {
  /// The time of a token: date, `T`, time with seconds, an optional fraction of one to nine digits, and `Z` or an offset.
  /// Nil for anything else. A sponsor signs the time between other texts, with nothing in between: it has one spelling, so
  /// that nobody can cut the signed text at another place.
  init?(ofToken text: String) {
    let shape = text.utf8.map(Self.shape)
    guard shape.starts(with: Self.beginning) else { return nil }
    var end = shape.dropFirst(Self.beginning.count)
    if end.first == UInt8(ascii: ".") {
      let digits = end.dropFirst().prefix { $0 == UInt8(ascii: "0") }.count
      guard (1...9).contains(digits) else { return nil }
      end = end.dropFirst(1 + digits)
    }
    guard ["Z", "+00:00", "-00:00"].contains(where: { end.elementsEqual($0.utf8) }) else { return nil }
    self.init(text)
  }

  /// How often a text has the beginning of such a time in it, whether or not there is such a day and hour.
  static func beginnings(in text: String) -> Int {
    let shape = text.utf8.map(Self.shape)
    return shape.indices.filter { shape[$0...].starts(with: Self.beginning) }.count
  }

  private static let beginning = Array("0000-00-00T00:00:00".utf8)

  /// The byte, with any digit as zero.
  private static func shape(_ byte: UInt8) -> UInt8 { (0x30...0x39).contains(byte) ? UInt8(ascii: "0") : byte }
}
