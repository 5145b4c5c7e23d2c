package import DIDComm
package import Sodium

/// The part of a Cloud Agent that keeps backups of wallets.
package protocol BackupKeeper: Sendable {
  /// The DID of the account that keeps the backups.
  var accountDID: String { get }

  /// The messages for the owner, which belong to no mailbox: the news of backups.
  func ownMessages(_ filter: MessageFilter) throws -> [StoredMessage]

  /// The place of backups under a recovery key.
  func backupPlace(of key: KeyPair) throws -> BackupPlace

  /// Asks for room for backups of the wallet. The answer is one of the owner's own messages. Throws `recoveryKeyTaken`
  /// if another account has backups under the key.
  func beginBackup(at place: BackupPlace, under key: VerKey) throws

  /// Stores a backup: a wallet, exported under the passphrase that gives the recovery key. The confirmation is one of
  /// the owner's own messages. Throws `recoveryKeyReplaced` if the account has another recovery key now.
  func storeBackup(_ wallet: [UInt8], under key: VerKey) throws

  /// Looks for the newest backup under a recovery key, in all accounts of the service. The wallet must have the key.
  func newestBackup(under key: KeyPair) throws -> BackupSearch
}

/// The place of a wallet's backups at a Cloud Agent. Only the holder of the recovery key can find it.
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
  /// An account has the key, but has stored no backup under it.
  case empty
  /// No account has the key.
  case unknownKey
}

/// The news of a backup among the owner's own messages, with the Cloud Agent's names for their types.
package enum BackupNews: String, Sendable {
  case ready = "WALLET_BACKUP_READY"
  case stored = "WALLET_BACKUP_ACK"

  /// Returns nil for messages about something else.
  package init?(type: String) { self.init(rawValue: type.split(separator: "/").last.map(String.init) ?? type) }
}
