import JSON
import Sodium
import TestSupport
import Testing

@testable import Wallet

/// Known answers of libindy's own code: derivation, metadata, rows.
@Suite struct FormatTests {
  struct Derivation: Sendable, CustomTestStringConvertible {
    let json: JSON
    var testDescription: String { "\(json["label"]?.string ?? "") \(json["method"]?.string ?? "")" }
  }

  static let derivations: [Derivation] =
    ((try? Fixtures.json("wallet/wallet-kdf.json"))?["cases"]?.array ?? []).map { Derivation(json: $0) }

  @Test func thereAreVectors() { #expect(Self.derivations.count > 5) }

  @Test(arguments: derivations) func masterKeysMatch(vector: Derivation) throws {
    let object = try vector.json.requireObject()
    let derivation = try #require(KeyDerivation(rawValue: object.string("method")))
    let salt = try object.optionalString("salt").map { [UInt8](hex: $0) }
    let key = try derivation.masterKey(of: object.string("passphrase"), salt: salt)
    #expect(try key.exposed().hex == object.string("master_key"))
  }

  @Test func malformedRawKeysAreRefused() throws {
    let invalid = try #require(try Fixtures.json("wallet/wallet-kdf.json")["invalid_raw"]?.array)
    #expect(!invalid.isEmpty)
    for json in invalid {
      let key = try #require(json["passphrase"]?.string)
      #expect(throws: WalletError.malformedKey) { try KeyDerivation.raw.masterKey(of: key, salt: nil) }
    }
  }

  @Test func aMethodThatIsNotTheWalletsIsDenied() {
    let salt = [UInt8](repeating: 1, count: 32)
    #expect(throws: WalletError.accessDenied) { try KeyDerivation.raw.masterKey(of: "x", salt: salt) }
    #expect(throws: WalletError.accessDenied) { try KeyDerivation.argon2iModerate.masterKey(of: "x", salt: nil) }
    for length in [31, 33] {
      #expect(throws: WalletError.corrupt(reason: "the salt has a wrong length")) {
        try KeyDerivation.argon2iInteractive.masterKey(of: "x", salt: [UInt8](repeating: 1, count: length))
      }
    }
  }

  @Test func metadataMatches() throws {
    let vector = try Fixtures.json("wallet/wallet-metadata.json").requireObject()
    let keys = try vectorKeys(.object(vector))
    #expect(try keys.packed.exposed().hex == vector.string("keys_msgpack"))
    let rawKey = Base58.encode([UInt8](hex: try vector.string("master_key")))
    let nonce = [UInt8](hex: try vector.string("nonce"))
    let metadata = try Metadata(sealing: keys, key: rawKey, derivation: .raw) { _ in nonce }
    #expect(try metadata.sealedKeys.hex == vector.string("encrypted_keys"))
    #expect(try String(decoding: metadata.text, as: UTF8.self) == vector.string("metadata_raw"))
    #expect(try Metadata(parsing: metadata.text) == metadata)
    #expect(try metadata.open(key: rawKey, derivation: .raw).packed == keys.packed)

    let withSalt = Array(try vector.string("metadata_argon2i").utf8)
    #expect(try Metadata(parsing: withSalt).salt?.hex == vector.string("salt"))
    #expect(try Metadata(parsing: withSalt).text == withSalt)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"keys":[]}"#, #"{"keys":[1,2,256]}"#, #"{"keys":"text"}"#, #"{"keys":[1.5]}"#,
  ])
  func damagedMetadataIsToldApart(text: String) {
    do throws(WalletError) {
      _ = try Metadata(parsing: Array(text.utf8))
      Issue.record("accepted")
    } catch {
      guard case .corrupt = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func rowsMatchByteForByte() throws {
    let vector = try Fixtures.json("wallet/wallet-record.json")
    let cipher = RecordCipher(try vectorKeys(vector))
    let records = try #require(vector["records"]?.array)
    #expect(!records.isEmpty)
    for json in records {
      let object = try json.requireObject()
      let random = try ["value_key", "value_nonce", "key_nonce"].flatMap { [UInt8](hex: try object.string($0)) }
      let record = try Record(json: json)
      let sealed = cipher.seal(record) { _ in random }
      let row = try object.object("row")
      #expect(try sealed.type.hex == row.string("type"))
      #expect(try sealed.name.hex == row.string("name"))
      #expect(try sealed.value.value.hex == row.string("value"))
      #expect(try sealed.value.key.hex == row.string("key"))
      let tags = Set(sealed.tags.map(\.text))
      #expect(try tags == tagTexts(object))
      #expect(sealed.tags.count == record.tags.count)
      #expect(try cipher.open(sealed.value) == record.value)
      #expect(try cipher.open(sealed.tags) == record.tags)
      #expect(try cipher.open(type: sealed.type) == record.type)
      #expect(try cipher.open(name: sealed.name) == record.id)
    }
  }

  func tagTexts(_ object: JSONObject) throws -> Set<String> {
    let texts = { (table: String) in
      try object.array(table).map { "\(table) \($0["name"]?.string ?? "") \($0["value"]?.string ?? "")" }
    }
    return Set(try texts("tags_encrypted") + texts("tags_plaintext"))
  }

  @Test func changedCiphertextsDoNotOpen() throws {
    let cipher = RecordCipher(WalletKeys())
    let sealed = cipher.seal(Record(type: "t", id: "i", value: "v", tags: ["a": "b"]))
    for index in sealed.value.value.indices {
      var value = sealed.value.value
      value[index] ^= 1
      #expect(throws: WalletError.undecipherable) { try cipher.open(SealedValue(value: value, key: sealed.value.key)) }
    }
    #expect(throws: WalletError.undecipherable) { try cipher.open(type: Array(sealed.type.dropLast())) }
    #expect(throws: WalletError.undecipherable) { try cipher.open(type: []) }
    #expect(throws: WalletError.undecipherable) { try cipher.open(name: sealed.type) }
    let other = RecordCipher(WalletKeys())
    #expect(throws: WalletError.undecipherable) { try other.open(sealed.value) }
    #expect(throws: WalletError.undecipherable) { try other.open(sealed.tags) }
  }
}

extension SealedTag {
  fileprivate var text: String {
    switch self {
    case .encrypted(let name, let value): "tags_encrypted \(name.hex) \(value.hex)"
    case .plaintext(let name, let value): "tags_plaintext \(name.hex) \(value)"
    }
  }
}
