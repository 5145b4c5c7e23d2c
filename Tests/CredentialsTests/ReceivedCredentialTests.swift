import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// The holder's checks of a credential, beside those of the engine.
@Suite struct ReceivedCredentialTests {
  private static let revocable = "credential_rev_issued"

  private static func check(_ credential: JSON, isRevocable: Bool = true) throws {
    var definition = try Vectors.json("cred_def")
    if !isRevocable { definition["value"]?["revocation"] = nil }
    try ReceivedCredential(parsing: credential.text).check(against: definition.text)
  }

  private static func changed(_ path: [String], to value: JSON) throws -> JSON {
    try Vectors.json(revocable).changing(path[...], to: value)
  }

  @Test func honestCredentialsPass() throws {
    try Self.check(Vectors.json(Self.revocable))
    try Self.check(Vectors.json("credential_issued"), isRevocable: false)
    try ReceivedCredential(parsing: Vectors.text("credential_processed")).checkNumbers()
  }

  @Test(arguments: [("raw", "Mallory"), ("encoded", "1"), ("encoded", "028"), ("encoded", "")])
  func aSignedNumberOfAnotherValueIsRefused(change: (member: String, value: String)) throws {
    let name = change.member == "raw" ? "name" : "age"
    let credential = try Self.changed(["values", name, change.member], to: .string(change.value))
    let reason = "the signed number of \"\(name)\" is not that of its value"
    #expect(throws: CredentialsError.malformedCredential(reason)) { try Self.check(credential) }
  }

  /// Of two spellings of one name, the wallet could show the value that is not signed.
  @Test(arguments: [("NAME", "Mallory"), ("more", "x"), ("age", nil)])
  func aCredentialHasEachAttributeOfItsDefinitionOnce(name: String, value: String?) throws {
    var credential = try Vectors.json(Self.revocable)
    credential["values"]?[name] = value.map { ["raw": .string($0), "encoded": .string(AttributeEncoding.encode($0))] }
    let reason = "it does not have each attribute of its definition exactly once"
    #expect(throws: CredentialsError.malformedCredential(reason)) { try Self.check(credential) }
  }

  /// Evernym's library encodes numbers from 2^31 to 2^32 as themselves.
  @Test(arguments: ["2147483648", "4294967295"]) func bothEncodingsOfALargeNumberPass(raw: String) throws {
    for encoded in [raw, AttributeEncoding.encode(raw)] {
      try Self.check(Self.changed(["values", "age"], to: ["raw": .string(raw), "encoded": .string(encoded)]))
    }
  }

  @Test(arguments: [["rev_reg_id"], ["signature", "r_credential"], ["rev_reg"], ["witness"]])
  func aRevocableCredentialHasAllPartsOfItsRevocation(path: [String]) throws {
    let without = try Self.changed(path, to: .null)
    let missing = "its definition has revocation, and the credential has no \"\(path.last ?? "")\""
    #expect(throws: CredentialsError.malformedCredential(missing)) { try Self.check(without) }
    let part = try Vectors.json(Self.revocable).value(at: path[...])
    let with = try Vectors.json("credential_issued").changing(path[...], to: part)
    let surplus = "its definition has no revocation, and the credential has \"\(path.last ?? "")\""
    #expect(throws: CredentialsError.malformedCredential(surplus)) { try Self.check(with, isRevocable: false) }
  }

  @Test func aRevocableCredentialHasAPlace() throws {
    let credential = try Self.changed(["signature", "r_credential", "i"], to: "7")
    #expect(throws: CredentialsError.malformedCredential("it names no place in its revocation registry")) {
      try Self.check(credential)
    }
  }

  /// The text of a sum of powers of two.
  private static func sum(_ exponents: Int...) -> String {
    var digits = [0]
    for exponent in stride(from: exponents.max() ?? 0, through: 0, by: -1) {
      var carry = exponents.contains(exponent) ? 1 : 0
      for index in digits.indices {
        let value = digits[index] * 2 + carry
        (digits[index], carry) = (value % 10, value / 10)
      }
      if carry > 0 { digits.append(carry) }
    }
    return String(digits.reversed().map { Character(String($0)) })
  }

  /// Each range begins with the first number and ends before the second.
  private static let ranges: [(name: String, first: String, end: String)] = [
    ("e", sum(596), sum(596, 119)), ("v", "1", sum(2725)), ("m_2", "1", sum(256)), ("a", "1", sum(4200)),
  ]

  @Test func theNumbersOfTheSignatureAreInTheirRanges() throws {
    for (name, first, end) in Self.ranges {
      let path = ["signature", "p_credential", name]
      try Self.check(Self.changed(path, to: .string(first)))
      let refused: [JSON] = [.string(end), .string("0" + first), .string("-" + first), "0", "", "1x9", 7, .null]
      for value in refused {
        let reason = "the number \"\(name)\" of its signature is out of range"
        #expect(throws: CredentialsError.malformedCredential(reason), "\(name) \(value.text.prefix(20))") {
          try Self.check(Self.changed(path, to: value))
        }
      }
    }
    let short = try Self.changed(["signature", "p_credential", "e"], to: .string(Self.sum(595)))
    #expect(throws: CredentialsError.self) { try Self.check(short) }
  }
}

extension JSON {
  fileprivate func value(at path: ArraySlice<String>) -> JSON {
    path.reduce(self) { json, name in json[name] ?? .null }
  }

  fileprivate func changing(_ path: ArraySlice<String>, to value: JSON) -> JSON {
    guard let name = path.first else { return value }
    var json = self
    json[name] = (self[name] ?? .null).changing(path.dropFirst(), to: value)
    return json
  }
}
