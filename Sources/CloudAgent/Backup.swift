/// The place of a wallet's backups at a Cloud Agent, which only the holder of the recovery key finds.
package struct BackupPlace: Equatable, Sendable {
  package let address: String
  package let locator: String
  /// The Cloud Agent's name, sealed for the recovery key.
  package let cloudAddress: [UInt8]

  package init(address: String, locator: String, cloudAddress: [UInt8]) {
    self.address = address
    self.locator = locator
    self.cloudAddress = cloudAddress
  }
}

/// The result of a search for the newest backup under a recovery key.
package enum BackupSearch: Equatable, Sendable {
  case found([UInt8])
  /// An account has the key, and no backup is stored under it.
  case empty
  /// No account has the key.
  case unknownKey
}

/// The news of a backup among the owner's own messages, as the Cloud Agent names their types.
package enum BackupNews: String, Sendable {
  case ready = "WALLET_BACKUP_READY"
  case stored = "WALLET_BACKUP_ACK"

  /// Returns nil for messages about something else.
  package init?(type: String) { self.init(rawValue: type.split(separator: "/").last.map(String.init) ?? type) }
}
