internal import CloudAgent
internal import DIDComm
internal import Files
package import JSON
internal import Logging
internal import Sodium
internal import Time
internal import Wallet

/// Backups of the wallet at the Cloud Agent, sealed under a passphrase of the user.
///
/// The passphrase gives the key of the exported wallet, and a recovery key, by which another device finds the backup.
package struct WalletBackup: Sendable {
  /// The states of the API.
  package enum State: UInt32, Sendable {
    case uninitialized = 0
    /// The Cloud Agent has been asked for room.
    case requested = 1
    /// The program can send the wallet.
    case ready = 2
    /// A backup was sent, and the Cloud Agent has not confirmed it.
    case sent = 3
  }

  package let sourceID: String
  package private(set) var state: State
  /// Whether the Cloud Agent has confirmed a backup.
  package private(set) var hasStoredBackup: Bool
  private let passphrase: SecretBytes
  private let recoveryKey: VerKey
  private let place: BackupPlace
  private let ownerDID: String
  /// The ids of the messages that were there before the last request, and so do not answer it.
  private var oldNews: [String]
  /// The time of the last backup, in seconds since 1970.
  private var sentAt: Int64?

  /// The size limit of an exported wallet.
  private static let maximumSize = 5_000_000
  /// After this many seconds without a confirmation, the program may send the wallet again.
  private static let patience: Int64 = 600
  /// The shortest passphrase. Everybody with a copy of the backup can try passphrases.
  private static let shortestPassphrase = 12

  /// Returns the passphrase. Throws if it is too short.
  package static func passphrase(_ text: String) throws(BackupError) -> String {
    guard text.unicodeScalars.count >= shortestPassphrase else { throw .shortPassphrase }
    return text
  }

  /// Asks the Cloud Agent for room for backups under a passphrase, and keeps the recovery key in the wallet.
  package init(sourceID: String, passphrase: String, with session: Session) throws {
    let keeper = try session.backups()
    let pair = try session.recoveryKey(of: passphrase, by: session.settings.recoveryKeys)
    try Self.note(pair.verkey, of: passphrase, in: session.wallet)
    self.sourceID = sourceID
    self.passphrase = SecretBytes(copying: Array(passphrase.utf8))
    recoveryKey = pair.verkey
    place = try keeper.backupPlace(of: pair)
    ownerDID = keeper.accountDID
    hasStoredBackup = false
    oldNews = try keeper.backupNews().map(\.uid)
    try keeper.beginBackup(at: place, under: recoveryKey)
    try CurrentRecovery(in: session.wallet).note(recoveryKey)
    state = .requested
  }

  /// Libraries of this API keep the key in a record of the program under the passphrase.
  private static func note(_ key: VerKey, of passphrase: String, in wallet: Wallet) throws {
    do {
      try wallet.apply(.add(Record(type: "RECOVERY_KEY", id: passphrase, value: key.text)))
    } catch WalletError.recordExists {}
  }
}

// MARK: - Steps

extension WalletBackup {
  /// Asks the Cloud Agent for news of the last request.
  package mutating func update(with session: Session) throws {
    guard state == .requested || state == .sent else { return }
    for message in try session.backups().backupNews() { apply(News(message)) }
  }

  /// A message from the Cloud Agent to the owner.
  package struct News: Sendable {
    let type: String
    let uid: String

    init(_ message: StoredMessage) { (type, uid) = (message.type, message.uid) }

    /// Reads a message that the program has downloaded.
    package init(parsing text: String) throws(JSONError) {
      let message = try JSON(parsing: text).requireObject()
      (type, uid) = (try message.string("type"), try message.string("uid"))
    }
  }

  /// Applies a message. Ignores messages that are old or about something else.
  package mutating func apply(_ message: News) {
    guard !oldNews.contains(message.uid), let news = BackupNews(type: message.type) else { return }
    switch (state, news) {
    case (.requested, .ready): state = .ready
    case (.sent, .stored):
      state = .ready
      hasStoredBackup = true
    default: return
    }
    Log.info("wallet backup: \(news == .ready ? "the Cloud Agent takes backups" : "the Cloud Agent has the backup")")
  }

  /// Exports the wallet and sends it. The export is a temporary file beside `path`. Throws
  /// `CloudAgentError.recoveryKeyReplaced` if a later backup has another passphrase: this backup's passphrase would not
  /// open the agency's backups any more.
  package mutating func send(exportedBeside path: String, with session: Session) throws {
    guard state == .ready || isOverdue else { throw BackupError.notReady }
    let keeper = try session.backups()
    guard try CurrentRecovery(in: session.wallet).mayBe(recoveryKey) else { throw CloudAgentError.recoveryKeyReplaced }
    let wallet = try exported(session.wallet, beside: path)
    let known = try keeper.backupNews().map(\.uid)
    try keeper.storeBackup(wallet, under: recoveryKey)
    (oldNews, sentAt, state) = (known, systemClock(), .sent)
    Log.info("wallet backup: \(wallet.count) bytes are sent")
  }

  private var isOverdue: Bool { state == .sent && systemClock() - (sentAt ?? 0) >= Self.patience }

  private func exported(_ wallet: Wallet, beside path: String) throws -> [UInt8] {
    guard let name = path.split(separator: "/").last, !path.hasSuffix("/"), ![".", ".."].contains(name) else {
      throw WalletFailure(.io(reason: "the path names no file"), at: path)
    }
    Files.removeAbandonedDrafts(for: path)
    let file = Files.draftPath(for: path)
    try naming(file) { () throws(WalletError) in try wallet.export(to: file, key: passphrase.text) }
    defer { try? Files.remove(file) }
    do {
      return try Files.contents(of: file, limit: Self.maximumSize)
    } catch {
      throw error.isTooLarge ? BackupError.tooLarge : BackupError.unreadableExport
    }
  }
}

extension BackupKeeper {
  /// The messages to the owner about backups.
  fileprivate func backupNews() throws -> [StoredMessage] {
    try ownMessages(MessageFilter()).filter { BackupNews(type: $0.type) != nil }
  }
}

extension Session {
  /// The key pair that a passphrase gives. It is in the wallet afterwards.
  func recoveryKey(of passphrase: String, by derivation: RecoveryKeyDerivation) throws -> KeyPair {
    let key = try wallet.createKey(seed: derivation.seed(from: passphrase))
    guard let pair = try wallet.keyPair(for: key) else { throw CloudAgentError.missingKey(key) }
    return pair
  }
}

// MARK: - The stored form

extension WalletBackup {
  private static let version = "1.0"

  /// The backup as JSON text, in the form of Evernym's library. It contains the passphrase.
  package var serialized: String {
    let keys: JSON = [
      "wallet_encryption_key": .string(passphrase.text), "recovery_vk": .string(recoveryKey.text),
      "dead_drop_address": ["address": .string(place.address), "locator": .string(place.locator)],
      "cloud_address": .array(place.cloudAddress.map { .integer(Int64($0)) }),
    ]
    let data: JSON = [
      "source_id": .string(sourceID), "state": .integer(Int64(state.rawValue)), "to_did": .string(ownerDID),
      "uuid": nil, "keys": keys, "has_stored_backup": .bool(hasStoredBackup), "old_news": JSON(oldNews),
      "sent_at": sentAt.map { .integer($0) } ?? .null,
    ]
    return (["version": .string(Self.version), "data": data] as JSON).text
  }

  /// Restores a backup. Needs neither wallet nor network.
  package init(serialized text: String) throws {
    let outer = try JSON(parsing: text).requireObject()
    guard try outer.string("version") == Self.version else { throw BackupError.unknownVersion }
    let data = try outer.object("data")
    let keys = try data.object("keys")
    let drop = try keys.object("dead_drop_address")
    guard let state = data["state"]?.integer.flatMap({ UInt32(exactly: $0) }).flatMap(State.init) else {
      throw JSONError.wrongType(key: "state", expected: "a number from 0 to 3")
    }
    self.state = state
    sourceID = try data.string("source_id")
    hasStoredBackup = data["has_stored_backup"]?.bool ?? false
    ownerDID = try data.optionalString("to_did") ?? ""
    passphrase = SecretBytes(copying: Array(try keys.string("wallet_encryption_key").utf8))
    recoveryKey = try VerKey(keys.string("recovery_vk"))
    let bytes = try keys.array("cloud_address").map { byte throws(JSONError) in
      guard let byte = byte.integer.flatMap({ UInt8(exactly: $0) }) else {
        throw .wrongType(key: "cloud_address", expected: "numbers from 0 to 255")
      }
      return byte
    }
    place = BackupPlace(
      address: try drop.string("address"), locator: try drop.string("locator"), cloudAddress: bytes)
    oldNews = try data.optionalStrings("old_news") ?? []
    sentAt = data["sent_at"]?.integer
  }
}

/// The reasons why a backup of the wallet could not be made or fetched.
package enum BackupError: Error, Equatable, Sendable {
  case shortPassphrase
  /// The Cloud Agent has not confirmed the last request.
  case notReady
  case tooLarge
  case unreadableExport
  /// No account has backups under the passphrase.
  case notFound
  /// An account has the passphrase, but has stored no backup.
  case nothingStored
  /// Another library wrote the stored form.
  case unknownVersion
}

extension BackupError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .shortPassphrase: "the passphrase of a backup has at least 12 characters"
    case .notReady: "the Cloud Agent has not confirmed the last request: update the state"
    case .tooLarge: "the exported wallet has more than 5000000 bytes"
    case .unreadableExport: "the exported wallet cannot be read back"
    case .notFound: "the agency knows no backup under this passphrase"
    case .nothingStored: "the agency knows the passphrase, but no backup was stored under it"
    case .unknownVersion: "the text is not a backup of version 1.0"
    }
  }
}
