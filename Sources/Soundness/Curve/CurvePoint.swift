/// A point of a group of the engine's curve, other than infinity.
struct CurvePoint {
  private let x, y: Field2
  private let group: Curve.Group

  /// Reads a point as the engine writes it: each number of its projective coordinates as an excess, and hexadecimal
  /// digits in the engine's Montgomery form. Throws the check that fails: `.pointForm`, `.curve` or `.order`.
  init(_ text: String, in group: Curve.Group) throws(SoundnessCheck) {
    self.group = group
    let coordinates = try group.coordinates(Self.numbers(text, count: group.numbersOfPoint))
    try require(coordinates.z != .zero, .pointForm)
    let scale = coordinates.z.inverse
    (x, y) = (coordinates.x * scale, coordinates.y * scale)
    try require(y * y == x * x * x + group.coefficient, .curve)
    guard case .second = group else { return }  // in the first group this follows from the equation
    try require(TwistPoint(x, y).times(Curve.order).isInfinity, .order)
  }

  /// The residues of the numbers in a text.
  private static func numbers(_ text: String, count: Int) throws(SoundnessCheck) -> [Field] {
    try require(text.utf8.count <= longestText, .pointForm)
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    try require(words.count == 2 * count, .pointForm)
    var numbers: [Field] = []
    for index in 0..<count {
      try require(isExcess(words[2 * index]), .pointForm)
      guard let number = Natural(hexadecimal: words[2 * index + 1], count: 64...66), number < limit else {
        throw .pointForm
      }
      numbers.append(Field(number) * Self.radixInverse)
    }
    return numbers
  }

  /// This is longer than any point of twelve words.
  private static let longestText = 1_000

  /// A number from 1 to 99.
  private static func isExcess(_ word: Substring.UTF8View) -> Bool {
    (1...2).contains(word.count) && word.first != UInt8(ascii: "0") && word.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// 64 p. The engine does not reduce its numbers; honest provers' numbers are below 9 p.
  private static let limit = Field.modulus.times64

  /// The radix of the engine's Montgomery form, 2^280, and its inverse.
  private static let radix = (0..<7).reduce(Field.one) { product, _ in product * Field(1 << 40) }
  private static let radixInverse = radix.inverse
}

extension Curve.Group {
  /// The numbers of a point's text.
  fileprivate var numbersOfPoint: Int {
    switch self {
    case .first: 3
    case .second: 6
    }
  }

  fileprivate func coordinates(_ numbers: [Field]) -> (x: Field2, y: Field2, z: Field2) {
    switch self {
    case .first: (Field2(numbers[0]), Field2(numbers[1]), Field2(numbers[2]))
    case .second:
      (Field2(numbers[0], numbers[1]), Field2(numbers[2], numbers[3]), Field2(numbers[4], numbers[5]))
    }
  }
}

// MARK: - Forms

extension CurvePoint {
  /// The 128 bytes that the engine hashes.
  var bytes: [UInt8] {
    switch group {
    case .first: [4] + x.real.bytes + y.real.bytes + [UInt8](repeating: 0, count: 63)
    case .second: x.real.bytes + x.imaginary.bytes + y.real.bytes + y.imaginary.bytes
    }
  }

  /// The text for the engine: reduced numbers, with 1 as the last coordinate.
  var text: String {
    let numbers: [Field] =
      switch group {
      case .first: [x.real, y.real, .one]
      case .second: [x.real, x.imaginary, y.real, y.imaginary, .one, .zero]
      }
    return numbers.map { "1 \(($0 * Self.radix).hexadecimal)" }.joined(separator: " ")
  }
}

extension Field {
  /// The 32 bytes, the highest first.
  fileprivate var bytes: [UInt8] {
    let bytes = number.bytes
    return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }

  /// The 64 digits, in capitals.
  fileprivate var hexadecimal: String {
    let digits = Array("0123456789ABCDEF".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension Natural {
  fileprivate var times64: Natural {
    Natural(
      limbs: (0...limbs.count).map { index in
        (index < limbs.count ? limbs[index] << 6 : 0) | (index > 0 ? limbs[index - 1] >> 58 : 0)
      })
  }
}
