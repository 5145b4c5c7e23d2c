internal import AgencyWire
internal import DIDComm
internal import JSON
internal import Sodium

// Backups of wallets. The agency keeps them sealed: the passphrase gives both the key of the export and the recovery key
// that opens the dead drop, and never leaves the user's device.

extension Agency {
  /// Lets an account store backups under a recovery key.
  func initBackup(
    _ request: InitBackup, _ account: Account, _ envelope: Envelope
  ) throws(RequestError) -> any AgencyMessage {
    guard let key = try? VerKey(request.recoveryVerKey), Self.isDeadDropAddress(request.address),
      (1...Self.longestCloudAddress).contains(request.cloudAddress.count)
    else { throw .invalid("params") }
    try refuseReplay(envelope)
    let recovery = Recovery(key: key, address: request.address, cloudAddress: request.cloudAddress)
    let isKept = try stored { () throws(StorageError) in
      try storage.keep(recovery, of: account, Note(BackupReady.name))
    }
    guard isKept else { throw .backupElsewhere }
    notificationsWait()
    return BackupReady()
  }

  private static let longestCloudAddress = 4096

  private static func isDeadDropAddress(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Stores a backup, which is on the disk when this returns.
  func backUp(_ request: BackUpWallet, _ account: Account, _ envelope: Envelope) throws(RequestError)
    -> any AgencyMessage
  {
    guard request.wallet.count <= rules.backupBytes else { throw .bodyTooLarge }
    guard !request.wallet.isEmpty else { throw .invalid("wallet") }
    let key = try request.recoveryVerKey.map { text throws(RequestError) in
      guard let key = try? VerKey(text) else { throw .invalid("recoveryVk") }
      return key
    }
    try refuseReplay(envelope)  // an old backup must not become the newest
    let backup = StoredBackup(wallet: request.wallet, digest: sha256(request.wallet))
    let outcome = try stored { () throws(StorageError) in
      try storage.keep(backup, under: key, of: account, Note(BackupStored.name))
    }
    switch outcome {
    case .noRecovery: throw .malformed("the account has no recovery key")
    case .otherKey: throw .recoveryReplaced
    case .kept:
      notificationsWait()
      return BackupStored()
    }
  }

  /// The messages for the account's owner himself.
  func notes(_ request: GetMessages, _ account: Account) throws(RequestError) -> any AgencyMessage {
    let filter = request.filter
    let notes = try stored { () throws(StorageError) in try storage.notes(of: account) }
    let wanted = notes.filter { note in
      (filter.uids.isEmpty || filter.uids.contains(note.uid))
        && (filter.statusCodes.isEmpty || filter.statusCodes.contains(Note.status))
    }
    return Messages(
      messages: wanted.map { WireMessage(uid: $0.uid, statusCode: Note.status, type: $0.type, payload: nil) },
      end: .complete)
  }
}

// MARK: - Restoring

extension Agency {
  /// Looks into a dead drop for the owner of any account. A wrong address, a wrong proof and an empty drop get the same
  /// answer.
  func retrieve(
    _ request: RetrieveDeadDrop, for asker: Account, from visitor: Visitor
  ) throws(RequestError) -> any AgencyMessage {
    let data = try guesses.attempt(by: asker, visitor) { () throws(RequestError) in
      try stored { () throws(StorageError) in
        request.isProven ? try storage.cloudAddress(at: request.address) : nil
      }
    }
    return DeadDropResult(address: request.address, data: data)
  }

  /// Gives the newest backup of an account to the holder of its recovery key, and tells the account's owner.
  func restore(
    from account: Account, with key: VerKey, for asker: Account, on visit: Visit
  ) throws(RequestError) -> any AgencyMessage {
    let found = try guesses.attempt(by: asker, visit.visitor) { () throws(RequestError) -> FoundBackup? in
      let size = try stored { () throws(StorageError) in try storage.backupSize(of: account, under: key) }
      try visit.reserveAnswer(of: size, for: asker.id)
      let found = try stored { () throws(StorageError) in try storage.backup(of: account, under: key) }
      return if case .unknownKey = found { nil } else { found }
    }
    switch found {
    case nil, .unknownKey: throw .notFound(reason: "not the recovery key of the account")
    case .nothing: throw .malformed("no backup is stored")
    case .backup(let backup):
      guard sha256(backup.wallet) == backup.digest else { throw .unavailable("a stored backup is damaged") }
      try stored { () throws(StorageError) in try storage.leave(Note(BackupRestored.name), for: account) }
      notificationsWait()
      return BackupRestored(wallet: backup.wallet)
    }
  }
}

/// Slows down guesses of passphrases: counts failures by account, and more generously by network, since many users
/// may share one.
struct GuessLimiter: Sendable {
  private let accounts: RateLimiter
  private let networks: RateLimiter

  init(clock: @escaping @Sendable () -> Int64) {
    accounts = RateLimiter(Rate(10, per: 3600, burst: 10), clock: clock)
    networks = RateLimiter(Rate(100, per: 3600, burst: 100), clock: clock)
  }

  /// Runs `body`, and counts it as a failure if it returns nil. An attempt counts from its beginning, so that
  /// concurrent attempts are limited too. Throws without running `body` if there were too many failures.
  func attempt<Value>(
    by asker: Account, _ visitor: Visitor, _ body: () throws(RequestError) -> Value?
  ) throws(RequestError) -> Value? {
    guard accounts.admits(.account(asker)) else { throw tooOften }
    guard networks.admits(visitor) else {
      accounts.giveBack(.account(asker))
      throw tooOften
    }
    var isFailure = false
    defer { if !isFailure { giveBack(asker, visitor) } }
    let value = try body()
    isFailure = value == nil
    return value
  }

  private func giveBack(_ asker: Account, _ visitor: Visitor) {
    accounts.giveBack(.account(asker))
    networks.giveBack(visitor)
  }

  private var tooOften: RequestError { .tooOften("attempts to restore a wallet", seconds: accounts.pause) }
}

extension Visitor {
  fileprivate static func account(_ account: Account) -> Visitor { .address("\(account.id)") }
}

extension Note {
  fileprivate init(_ type: String) { self.init(uid: .randomUUID(), type: type) }
}
