import AgencyWire
import DIDComm
import PostgreSQL
import SQLite
import Sodium
import TestSupport
import Threading
import Time

@testable import AgencyServer

/// The kinds of store: each must do the same.
enum StoreKind: CaseIterable, Sendable {
  case sqlite, postgreSQL
}

/// An empty store of a kind, with one account and its mailbox.
final class Store: Sendable {
  let storage: any Storage
  let time = Locked<Int64>(1_700_000_000)
  let agent: Account
  let mailbox: Mailbox
  private let place: Place

  private enum Place: Sendable {
    case folder(TemporaryFolder)
    case database(String)

    func open(_ clock: @escaping Clock) throws -> any Storage {
      switch self {
      case .folder(let folder): try SQLiteStorage(path: folder.path + "/agency.db", clock: clock)
      case .database(let uri): try PostgreSQLStorage(uri, connections: 4, clock: clock)
      }
    }
  }

  struct Unexpected: Error {}

  init(_ kind: StoreKind) throws {
    place =
      switch kind {
      case .sqlite: .folder(try TemporaryFolder())
      case .postgreSQL: .database(try PostgreSQLServer.newDatabase())
      }
    storage = try place.open { [time] in time.withLock { $0 } }
    agent = try Self.agent(in: storage)
    mailbox = try Self.mailbox(of: agent, in: storage)
  }

  /// The same store once more, as another process would open it.
  func reopened() throws -> any Storage { try place.open { [time] in time.withLock { $0 } } }

  func openedForReading() throws -> any Storage {
    switch place {
    case .folder(let folder): try SQLiteStorage(existing: folder.path + "/agency.db", isReadOnly: true)
    case .database(let uri): try PostgreSQLStorage(existing: uri)
    }
  }

  static func newKey() -> NewKey { NewKey(verkey: KeyPair().verkey, sealedKey: SealedKey([1, 2, 3])) }

  static func agent(in storage: any Storage, of owner: VerKey = KeyPair().verkey) throws -> Account {
    try storage.agent(of: owner, ownerDID: owner.did, orElse: newKey())
  }

  static func mailbox(
    of agent: Account, in storage: any Storage, for verkey: VerKey = KeyPair().verkey
  ) throws -> Mailbox {
    let creation = try storage.mailbox(of: agent, for: verkey.did, verkey, limit: 100, orElse: newKey())
    guard case .mailbox(let mailbox) = creation else { throw Unexpected() }
    return mailbox
  }

  func mail(_ text: String) -> Mail {
    let payload = Array(text.utf8)
    return Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: time.withLock { $0 })
  }

  @discardableResult
  func deliver(_ text: String, quota: Quota = Quota()) throws -> Delivery {
    try storage.deliver(mail(text), to: mailbox, quota: quota)
  }

  func messages(_ filter: WireMessageFilter = WireMessageFilter(), budget: Int = 1_000_000) throws -> [KeptMessage] {
    try storage.messages(MessageSelection(scope: .mailbox(mailbox), filter: filter, budget: budget)).messages
  }

  func texts() throws -> [String] { try messages().map { String(decoding: $0.payload ?? [], as: UTF8.self) } }
}

extension Storage {
  /// The same with the usual quota.
  func setStatus(
    _ status: String, of messages: [WireConnectionUIDs], of agent: Account
  ) throws(StorageError) -> [WireConnectionUIDs] {
    try setStatus(status, of: messages, of: agent, quota: Quota())
  }
}

extension Storage {
  /// Stores a backup of a client that does not name its recovery key.
  func keep(_ backup: StoredBackup, of account: Account, _ note: Note) throws(StorageError) -> Bool {
    try keep(backup, under: nil, of: account, note) == .kept
  }
}

extension PostgreSQLServer {
  /// The URI of a new, empty database of the tests' server.
  static func newDatabase() throws -> String {
    let server = try shared.get()
    let name = "agency_" + String.randomUUID().filter { $0 != "-" }.lowercased()
    try PostgreSQLConnection(server.uri()).execute("CREATE DATABASE \(name)")
    return server.uri(name)
  }
}
