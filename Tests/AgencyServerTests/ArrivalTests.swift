import AgencyWire
import DIDComm
import Foundation
import PostgreSQL
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// How the agencies on one PostgreSQL database learn of each other's messages.
@Suite struct ArrivalTests {
  private let database: String
  private let store: PostgreSQLStorage
  private let account: Account
  private let mailbox: Mailbox
  private let heard = Monitor<[Arrival]>([])

  init() throws {
    database = try PostgreSQLServer.newDatabase()
    store = try PostgreSQLStorage(database, connections: 4, clock: { 1_700_000_000 })
    account = try Store.agent(in: store)
    mailbox = try Store.mailbox(of: account, in: store)
  }

  private func another() throws -> PostgreSQLStorage {
    try PostgreSQLStorage(database, connections: 2, clock: { 1_700_000_000 })
  }

  private func deliver(_ text: String, through store: PostgreSQLStorage, to mailbox: Mailbox? = nil) throws {
    let payload = Array(text.utf8)
    let mail = Mail(uid: .randomUUID(), payload: payload, digest: payload, arrival: 1_700_000_000)
    let delivery = try store.deliver(mail, to: mailbox ?? self.mailbox, quota: Quota())
    guard case .stored = delivery else { throw Store.Unexpected() }
  }

  private func listen() { store.watchArrivals { [heard] arrivals in heard.withLock { $0 += arrivals } } }

  /// Returns when the store hears of a message in the mailbox.
  private func untilHeard() throws {
    let wanted = mailbox.forDID.text
    let isHeard = heard.wait(milliseconds: 60_000) { heard in
      defer { heard = [] }
      return heard.contains { $0.accountID == account.id && $0.pairwiseDID == wanted } ? true : nil
    }
    #expect(isHeard == true)
  }

  @Test func aStoreHearsOfItsOwnMessages() throws {
    listen()
    defer { store.close() }
    try deliver("own", through: store)
    #expect(heard.withLock { $0.first } == Arrival(in: mailbox))
  }

  @Test func aStoreHearsOfAnothersMessages() throws {
    listen()
    try untilConnected()
    let other = try another()
    other.watchArrivals { _ in }
    defer {
      store.close()
      other.close()
    }
    for number in 0..<3 {
      try deliver("\(number)", through: other)
      try untilHeard()
    }
  }

  /// The other store notifies nobody.
  @Test func aLostNotificationIsMadeUpFor() throws {
    listen()
    defer { store.close() }
    try untilConnected()
    try deliver("silent", through: another())
    try untilHeard()
  }

  @Test func aStoreListensAgainAfterItsConnectionWasLost() throws {
    listen()
    defer { store.close() }
    try untilConnected()
    let server = try PostgreSQLConnection(database)
    let end = """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """
    try server.query(end)
    let other = try another()
    other.watchArrivals { _ in }
    defer { other.close() }
    try deliver("late", through: other)
    try untilHeard()
  }

  /// Returns after the first look of the listening store. The store hears of no earlier message.
  private func untilConnected() throws {
    let server = try PostgreSQLConnection(database)
    let look = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT 0, %'"
    for _ in 0..<6000 {
      let count = try server.query(look).first { row throws(PostgreSQLError) in try row.integer(0) }
      if count ?? 0 > 0 { return }
      usleep(10_000)
    }
    throw Store.Unexpected()
  }

  /// A message gets its number before it is committed, so that a higher number may be seen first.
  @Test func aSettledReadMissesNoLowerNumber() throws {
    let other = try Store.mailbox(of: account, in: store)
    let session = try PostgreSQLConnection(database)
    try session.execute("BEGIN")
    let lock = PostgreSQLConnection.delaysSettledReads(of: "agent_id")
    try session.query("SELECT unread\(lock) FROM pairwise WHERE id = $1 FOR NO KEY UPDATE", .integer(mailbox.id))
    let insert = """
      INSERT INTO messages (uid, pairwise_id, status, size, digest, created, updated, payload)
      VALUES ('low', $1, 'MS-103', 1, '1', 1700000000, 1700000000, '1')
      """
    try session.query(insert, .integer(mailbox.id))
    try deliver("high", through: store, to: other)
    var selection = MessageSelection(scope: .agent(account, pairwiseDIDs: []), filter: .init(), budget: 1_000_000)
    selection.isSettled = true
    let pending = Pending { [store, selection] in try store.messages(selection) }
    let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    var count: Int64 = 0
    for _ in 0..<6000 where count == 0 {
      usleep(10_000)
      count = try session.query(waiting).first { row throws(PostgreSQLError) in try row.integer(0) } ?? 0
    }
    #expect(count == 1)
    try session.execute("COMMIT")
    let kept = try pending.value
    #expect(kept.messages.count == 2 && kept.messages.first?.uid == "low")
  }
}
