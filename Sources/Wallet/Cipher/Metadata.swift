internal import JSON
internal import Sodium

/// The one row of a wallet's metadata: its keys, sealed under the master key, and the salt of the master key.
struct Metadata: Equatable, Sendable {
  let sealedKeys: [UInt8]

  /// Nil in a wallet with a raw key.
  let salt: [UInt8]?

  /// Seals `keys` under `key` and `derivation`, with a new salt and nonce.
  init(
    sealing keys: WalletKeys, key: String, derivation: KeyDerivation, random: RandomSource = randomBytes
  ) throws(WalletError) {
    salt = derivation.makeSalt(random)
    let masterKey = try derivation.masterKey(of: key, salt: salt)
    var packed = keys.packed.exposed()
    defer { wipe(&packed) }
    sealedKeys = AEAD.sealPrefixed(packed.span, key: masterKey, nonce: random(AEAD.nonceLength))
  }

  /// Opens the seven keys. Throws `accessDenied` for a wrong key or method.
  func open(key: String, derivation: KeyDerivation) throws(WalletError) -> WalletKeys {
    let masterKey = try derivation.masterKey(of: key, salt: salt)
    guard var packed = try? AEAD.openPrefixed(sealedKeys, key: masterKey) else { throw .accessDenied }
    defer { wipe(&packed) }
    guard let keys = WalletKeys(packed: packed) else { throw .corrupt(reason: "the keys are not seven") }
    return keys
  }
}

// MARK: - JSON

extension Metadata {
  /// Reads the stored text. Ignores unknown members.
  init(parsing text: [UInt8]) throws(WalletError) {
    guard let object = try? JSON(parsing: text).object, let keys = object["keys"]?.byteArray else {
      throw .corrupt(reason: "the metadata cannot be read")
    }
    guard keys.count == WalletKeys.packedLength + AEAD.prefixedOverhead else {
      throw .corrupt(reason: "the sealed keys have a wrong length")
    }
    sealedKeys = keys
    salt = object["master_key_salt"]?.byteArray
    if salt == nil, let json = object["master_key_salt"], !json.isNull {
      throw .corrupt(reason: "the salt cannot be read")
    }
  }

  /// The text to store.
  var text: [UInt8] {
    var object: JSONObject = ["keys": JSON(byteArray: sealedKeys)]
    if let salt { object["master_key_salt"] = JSON(byteArray: salt) }
    return JSON.object(object).bytes
  }
}

extension JSON {
  /// Bytes in libindy's form: an array of integers.
  fileprivate init(byteArray bytes: [UInt8]) { self = .array(bytes.map { .integer(Int64($0)) }) }

  fileprivate var byteArray: [UInt8]? {
    guard let array else { return nil }
    let bytes = array.compactMap { $0.integer.flatMap(UInt8.init(exactly:)) }
    return bytes.count == array.count ? bytes : nil
  }
}
