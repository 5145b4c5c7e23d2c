package import DIDComm

/// The part of a store that keeps backups of wallets, and the few messages of the agency itself to an account's owner.
package protocol BackupStorage: Sendable {
  /// Makes this the account's recovery, and leaves a note. Backups under another key stay for a while. Returns false, and
  /// changes nothing, if the key or the address is another account's. Of several accounts that ask at once, one gets it.
  func keep(_ recovery: Recovery, of account: Account, _ note: Note) throws(StorageError) -> Bool

  /// Adds a backup under the account's recovery key, removes old ones, and leaves a note. Does nothing if the account has
  /// no recovery, or another one than `key`; nil stands for any.
  func keep(
    _ backup: StoredBackup, under key: VerKey?, of account: Account, _ note: Note
  ) throws(StorageError) -> BackupKeeping

  /// The sealed address of the account that has the dead drop; nil if nobody has it.
  func cloudAddress(at address: String) throws(StorageError) -> [UInt8]?

  /// The size of the newest backup under a recovery key of the account; 0 if there is none. Does not read the backup.
  func backupSize(of account: Account, under key: VerKey) throws(StorageError) -> Int

  /// The newest backup of an account under a recovery key, the present one or an earlier one.
  func backup(of account: Account, under key: VerKey) throws(StorageError) -> FoundBackup

  /// Leaves a note for the account's owner, in the place of an older one of the same type.
  func leave(_ note: Note, for account: Account) throws(StorageError)

  /// The notes for the account's owner, the oldest first.
  func notes(of account: Account) throws(StorageError) -> [Note]
}

/// The key that may fetch an account's backups, and the dead drop through which its holder finds the account.
package struct Recovery: Equatable, Sendable {
  package let key: VerKey
  package let address: String
  /// The account's name, sealed for the key.
  package let cloudAddress: [UInt8]
}

/// A backup of a wallet, which only the user's passphrase opens.
package struct StoredBackup: Equatable, Sendable {
  package let wallet: [UInt8]
  /// SHA-256 of the wallet.
  package let digest: [UInt8]
}

/// The result of an attempt to store a backup.
package enum BackupKeeping: Equatable, Sendable {
  case kept
  /// The account has no recovery.
  case noRecovery
  /// The account has another recovery key than the backup.
  case otherKey
}

package enum FoundBackup: Equatable, Sendable {
  case backup(StoredBackup)
  /// The key is the account's, and nothing is stored under it.
  case nothing
  /// The key never was the account's.
  case unknownKey
}

/// A message of the agency itself to an account's owner. It has a type and no content. The agency notifies the owner's
/// com methods of it like of a peer's message.
package struct Note: Equatable, Sendable {
  package let uid: String
  package let type: String

  /// All notes count as unread.
  package static let status = "MS-103"
}
