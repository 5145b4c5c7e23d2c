internal import DIDComm
internal import JSON
internal import Sodium

/// A record `Indy::Did`: a DID of the wallet's owner and its key.
struct OwnDID: Equatable, Sendable {
  static let type = "Indy::Did"

  let did: DID
  let verkey: VerKey

  var record: Record {
    let value: JSON = ["did": .string(did.text), "verkey": .string(verkey.text)]
    return Record(type: Self.type, id: did.text, value: value.text)
  }

  init(did: DID, verkey: VerKey) {
    self.did = did
    self.verkey = verkey
  }

  init(_ record: Record) throws(WalletError) {
    guard let json = try? JSON(parsing: record.value), let did = json["did"]?.string, let key = json["verkey"]?.string,
      let did = try? DID(did), let verkey = try? VerKey(key)
    else { throw .corrupt(reason: "a record of the type \(Self.type) cannot be read") }
    self.init(did: did, verkey: verkey)
  }
}

/// A record `Indy::Key`: a key pair of the wallet's owner.
enum OwnKey: Sendable {
  static let type = "Indy::Key"

  /// The record's value. Holds the secret key: wipe it.
  static func value(of pair: KeyPair) -> [UInt8] {
    var secret = pair.secret.exposed()
    defer { wipe(&secret) }
    let value: JSON = ["verkey": .string(pair.verkey.text), "signkey": .string(Base58.encode(secret))]
    return value.bytes
  }

  static func pair(from value: [UInt8]) throws(WalletError) -> KeyPair {
    guard let text = try? JSON(parsing: value)["signkey"]?.string, var secret = try? Base58.decode(text, limit: 128),
      let pair = try? KeyPair(secret: SecretBytes(copying: secret))
    else { throw .corrupt(reason: "a record of the type \(type) cannot be read") }
    wipe(&secret)
    return pair
  }
}
