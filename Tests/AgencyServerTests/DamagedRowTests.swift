import DIDComm
import Foundation
import SQLite
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// The operator learns which table is damaged, and nobody gets what is in it.
@Suite struct DamagedRowTests {
  let folder: TemporaryFolder
  private let path: String
  private let storage: SQLiteStorage
  private let account: Account
  private let mailbox: Mailbox

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/agency.db"
    storage = try SQLiteStorage(path: path, clock: { 1 })
    account = try Store.agent(in: storage)
    mailbox = try Store.mailbox(of: account, in: storage)
  }

  @Test(arguments: ["verkey", "owner_verkey", "state"]) func aDamagedAccountIsNotFound(column: String) throws {
    let address = try #require(Address(account.party.did))
    #expect(try storage.destination(of: address) == .agent(account))
    try Database(path: path).execute("UPDATE agents SET \(column) = '0'")
    #expect(throws: StorageError.damaged(table: "agents")) { try storage.destination(of: address) }
  }

  @Test(arguments: ["verkey", "for_did", "for_verkey"]) func aDamagedMailboxIsNotFound(column: String) throws {
    let address = try #require(Address(mailbox.party.did))
    #expect(try storage.destination(of: address) == .mailbox(mailbox))
    try Database(path: path).execute("UPDATE pairwise SET \(column) = '0'")
    #expect(throws: StorageError.damaged(table: "pairwise")) { try storage.destination(of: address) }
  }

  @Test func aDamagedIdentityIsNotUsed() throws {
    let identity = Identity(verkey: KeyPair().verkey, sealedKey: SealedKey([1]))
    #expect(try storage.identity(orElse: identity) == identity)
    try Database(path: path).execute("UPDATE identity SET verkey = '0'")
    #expect(throws: StorageError.damaged(table: "identity")) { try storage.identity() }
    #expect(throws: StorageError.damaged(table: "identity")) { try storage.identity(orElse: identity) }
  }
}
