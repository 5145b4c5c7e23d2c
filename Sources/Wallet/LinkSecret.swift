internal import JSON
internal import Sodium

/// A record `Indy::MasterSecret`: the number that binds all credentials of a wallet to its owner.
enum LinkSecret: Sendable {
  static let type = "Indy::MasterSecret"

  /// AnonCreds permits numbers below 2^256.
  static let length = 32
  /// The digits of 2^256.
  private static let maximumDigits = 78

  /// The number of a big-endian text in decimal digits, the form of the record.
  static func decimal(_ number: SecretBytes) -> SecretBytes {
    var bytes = number.exposed()
    var digits: [UInt8] = []  // the last digit first
    digits.reserveCapacity(number.count * 5 / 2 + 1)  // no copy is left behind: a byte makes fewer than 2.5 digits
    for byte in bytes {
      var carry = Int(byte)
      for index in digits.indices {
        carry += Int(digits[index]) << 8
        digits[index] = UInt8(carry % 10)
        carry /= 10
      }
      while carry > 0 {
        digits.append(UInt8(carry % 10))
        carry /= 10
      }
    }
    defer {
      wipe(&bytes)
      wipe(&digits)
    }
    return SecretBytes(copying: digits.isEmpty ? [0x30] : digits.reversed().map { $0 + 0x30 })
  }

  /// The record's value. It holds the secret: the caller wipes it.
  static func value(of digits: SecretBytes) -> [UInt8] {
    let value: JSON = ["value": ["ms": .string(digits.text)]]
    return value.bytes
  }

  static func digits(from value: [UInt8]) throws(WalletError) -> SecretBytes {
    guard let text = try? JSON(parsing: value)["value"]?["ms"]?.string, 1...maximumDigits ~= text.utf8.count,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .corrupt(reason: "a record of the type \(type) cannot be read") }
    return SecretBytes(copying: Array(text.utf8))
  }
}
