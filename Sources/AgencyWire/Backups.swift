package import DIDComm
package import JSON
package import Sodium

/// Asks the account to keep backups of the wallet under a recovery key.
package struct InitBackup: AgencyMessage {
  package static let name = "WALLET_INIT_BACKUP"
  package let recoveryVerKey: String
  /// The address of the dead drop, which holds `cloudAddress`.
  package let address: String
  /// The account's name and key, sealed for the recovery key.
  package let cloudAddress: [UInt8]

  package init(recoveryVerKey: String, address: String, cloudAddress: [UInt8]) {
    self.recoveryVerKey = recoveryVerKey
    self.address = address
    self.cloudAddress = cloudAddress
  }

  package init(_ object: JSONObject) throws(JSONError) {
    let params = try object.object("params")
    recoveryVerKey = try params.string("recoveryVk")
    address = try params.string("ddAddress")
    cloudAddress = try params.byteNumbers("cloudAddress")
  }

  package var members: JSONObject {
    [
      "params": [
        "recoveryVk": .string(recoveryVerKey), "ddAddress": .string(address),
        "cloudAddress": JSON(byteNumbers: cloudAddress),
      ]
    ]
  }
}

/// Tells the owner that the account takes backups.
package struct BackupReady: BareMessage {
  package static let name = "WALLET_BACKUP_READY"
  package init() {}
}

/// Gives the account a backup: the wallet, exported under the passphrase.
package struct BackUpWallet: AgencyMessage {
  package static let name = "WALLET_BACKUP"
  package let wallet: [UInt8]
  /// The recovery key of the same passphrase, so that the agency refuses the backup if the account has another one now.
  /// Older clients do not name the key.
  package let recoveryVerKey: String?

  package init(wallet: [UInt8], recoveryVerKey: String? = nil) {
    self.wallet = wallet
    self.recoveryVerKey = recoveryVerKey
  }

  /// Some clients write base64, and some an array of numbers.
  package init(_ object: JSONObject) throws(JSONError) {
    recoveryVerKey = try object.optionalString("recoveryVk")
    guard object["wallet"]?.array == nil else {
      wallet = try object.byteNumbers("wallet")
      return
    }
    wallet = try object.base64("wallet")
  }

  package var members: JSONObject {
    var members: JSONObject = ["wallet": .string(Base64.encode(wallet, .standard))]
    members["recoveryVk"] = recoveryVerKey.map { .string($0) }
    return members
  }
}

/// Tells the owner that the backup is stored.
package struct BackupStored: BareMessage {
  package static let name = "WALLET_BACKUP_ACK"
  package init() {}
}

/// Asks an account for its newest backup. The recovery key sends it, through the account of the new device.
package struct RestoreBackup: BareMessage {
  package static let name = "WALLET_BACKUP_RESTORE"
  package init() {}
}

/// Answers `RestoreBackup`.
package struct BackupRestored: AgencyMessage {
  package static let name = "WALLET_BACKUP_RESTORED"
  package let wallet: [UInt8]

  package init(wallet: [UInt8]) { self.wallet = wallet }
  package init(_ object: JSONObject) throws(JSONError) { wallet = try object.base64("wallet") }
  package var members: JSONObject { ["wallet": .string(Base64.encode(wallet, .standard))] }
}

/// Asks the agency for the content of a dead drop. Only the holder of the recovery key knows its address, and the
/// request proves that its sender holds the key.
package struct RetrieveDeadDrop: AgencyMessage {
  package static let name = "DEAD_DROP_RETRIEVE"
  package let recoveryVerKey: String
  package let address: String
  package let locator: String
  /// The signature of the locator's text.
  package let locatorSignature: [UInt8]

  package init(of key: KeyPair) {
    recoveryVerKey = key.verkey.text
    locator = DeadDrop.locator(of: key)
    address = DeadDrop.address(of: key.verkey, locator: locator)
    locatorSignature = key.sign(Array(locator.utf8))
  }

  package init(_ object: JSONObject) throws(JSONError) {
    recoveryVerKey = try object.string("recoveryVerKey")
    address = try object.string("address")
    locator = try object.string("locator")
    locatorSignature = try object.byteNumbers("locatorSignature")
  }

  package var members: JSONObject {
    [
      "recoveryVerKey": .string(recoveryVerKey), "address": .string(address), "locator": .string(locator),
      "locatorSignature": JSON(byteNumbers: locatorSignature),
    ]
  }

  /// Whether the sender holds the recovery key of the address.
  package var isProven: Bool {
    guard let key = try? VerKey(recoveryVerKey) else { return false }
    return DeadDrop.address(of: key, locator: locator) == address
      && key.publicKey.verifies(locatorSignature, of: Array(locator.utf8))
  }
}

/// Answers `RetrieveDeadDrop`. The entry is missing for an unknown address, and for a proof that fails.
package struct DeadDropResult: AgencyMessage {
  package static let name = "DEAD_DROP_RETRIEVE_RESULT"
  package let address: String
  package let data: [UInt8]?

  package init(address: String, data: [UInt8]?) {
    self.address = address
    self.data = data
  }

  package init(_ object: JSONObject) throws(JSONError) {
    let entry = try object.optionalObject("entry")
    address = try entry?.string("address") ?? ""
    guard let entry else {
      data = nil
      return
    }
    data = try entry.base64("data")
  }

  package var members: JSONObject {
    guard let data else { return ["entry": .null] }
    return ["entry": ["address": .string(address), "data": .string(Base64.encode(data, .standard))]]
  }
}

/// The place where an agency keeps the address of an account for a new device.
package enum DeadDrop: Sendable {
  /// A text that only the holder of the recovery key can compute.
  package static func locator(of key: KeyPair) -> String { sha256(key.sign(Array("wallet-backup".utf8))).hex }

  package static func address(of key: VerKey, locator: String) -> String {
    sha256(Array((key.text + locator).utf8)).hex
  }
}

extension JSON {
  /// An array with a number for each byte.
  init(byteNumbers bytes: [UInt8]) { self = .array(bytes.map { .integer(Int64($0)) }) }

  /// The bytes of an array of numbers, signed (−128…127) or unsigned. Nil for anything else.
  static func bytes(ofNumbers elements: [JSON]) -> [UInt8]? {
    let bytes = elements.compactMap { element -> UInt8? in
      guard let value = element.integer, (-128...255).contains(value) else { return nil }
      return UInt8(truncatingIfNeeded: value)
    }
    return bytes.count == elements.count ? bytes : nil
  }
}

extension JSONObject {
  fileprivate func byteNumbers(_ key: String) throws(JSONError) -> [UInt8] {
    guard let bytes = JSON.bytes(ofNumbers: try array(key)) else {
      throw .wrongType(key: key, expected: "an array of bytes")
    }
    return bytes
  }

  fileprivate func base64(_ key: String) throws(JSONError) -> [UInt8] {
    guard let bytes = try? Base64.decodeAny(try string(key)) else { throw .wrongType(key: key, expected: "base64") }
    return bytes
  }
}
