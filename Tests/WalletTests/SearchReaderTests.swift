import Foundation
import TestSupport
import Testing
import Threading

@testable import SQLite
@testable import Wallet

/// Searches and the connections that they read from.
@Suite struct SearchReaderTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    try wallet.insert(
      (0..<100).map { Record(type: "t", id: "\($0)", value: "v", tags: ["all": "1", "b": "x\($0)", "~n": "\($0)"]) })
  }

  /// The free connection of the pool, which had one reader at a time so far.
  func freeReader() throws -> Reader {
    try wallet.readers.lend { lent throws(WalletError) in
      wallet.readers.giveBack(lent)
      return lent.reader
    }
  }

  @Test(arguments: ["{}", #"{"~n":"5"}"#]) func aClosedSearchGivesItsConnectionBack(query: String) throws {
    let reader = try freeReader()
    let search = try wallet.search(type: "t", query: query)
    #expect(search.holdsSnapshot == (query == "{}"))
    search.close()
    #expect(try freeReader() === reader)
  }

  /// The next search by the same query, over the same connection, begins from the start and sees later records.
  @Test func aClosedSearchLeavesNothingToTheNext() throws {
    let reader = try freeReader()
    for round in 0..<3 {
      let search = try wallet.search(type: "t", query: "{}")
      #expect(try search.next(40).records.map(\.id) == (0..<40).map { "\($0)" })
      search.close()
      try wallet.insert(Record(type: "t", id: "new \(round)", value: "v"))
      #expect(try freeReader() === reader && wallet.record(type: "t", id: "new \(round)").value == "v")
    }
    #expect(try wallet.search(type: "t", query: "{}").next(200).records.count == 103)
  }

  @Test func aSearchThatIsDroppedGivesItsConnectionBack() throws {
    let reader = try freeReader()
    do {
      let search = try wallet.search(type: "t", query: "{}")
      #expect(try search.next(1).records.count == 1 && search.holdsSnapshot)
    }
    #expect(try freeReader() === reader)
  }

  @Test func aSearchThatIsReadToItsEndGivesItsConnectionBack() throws {
    let reader = try freeReader()
    let search = try wallet.search(type: "t", query: "{}")
    #expect(try freeReader() !== reader)
    #expect(try search.next(200).records.count == 100 && !search.holdsSnapshot)
    #expect(try wallet.readers.lend { lent throws(WalletError) in lent.reader === reader })
  }

  @Test func aRefusedSearchGivesItsConnectionBack() throws {
    let reader = try freeReader()
    try damageTag(of: "5")
    #expect(throws: WalletError.undecipherable) { try wallet.search(type: "t", query: #"{"b":{"$regex":"x"}}"#) }
    #expect(try freeReader() === reader)
  }

  /// The second search uses the connection of the first, and fails for a reason of its own.
  @Test func aSearchForgetsTheFailureOfTheSearchBefore() throws {
    let reader = try freeReader()
    try damageTag(of: "5")
    #expect(throws: WalletError.undecipherable) { try wallet.search(type: "t", query: #"{"b":{"$regex":"x"}}"#) }
    #expect(try freeReader() === reader)
    try home.database().execute("UPDATE items SET value = 'text' WHERE id = 3")
    do throws(WalletError) {
      _ = try wallet.search(type: "t", query: "{}")
      Issue.record("read")
    } catch .corrupt {
    } catch {
      Issue.record("\(error)")
    }
  }

  /// Makes the tag `b` of a record unreadable.
  func damageTag(of id: String, type: String = "t") throws {
    let cipher = wallet.cipher
    let update = try home.database().prepare(
      """
      UPDATE tags_encrypted SET value = zeroblob(40)
      WHERE name = ?1 AND item_id = (SELECT id FROM items WHERE type = ?2 AND name = ?3)
      """)
    try update.run(.blob(cipher.seal(tagName: "b")), .blob(cipher.seal(type: type)), .blob(cipher.seal(id: id)))
  }

  /// The test of a later record fails after the first page.
  @Test func aLaterPageGivesTheReasonWhyThereAreNoMore() throws {
    try damageTag(of: "90")
    let search = try wallet.search(type: "t", query: #"{"all":"1","b":{"$regex":"x"}}"#)
    #expect(try search.next(10).records.count == 10)
    #expect(throws: WalletError.undecipherable) { try search.next(100) }
  }

  /// The first page has 32 records, and the failure comes with the next look into the file.
  @Test func theRecordsBeforeAFailureAreStillGiven() throws {
    try damageTag(of: "90")
    let search = try wallet.search(type: "t", query: #"{"all":"1","b":{"$regex":"x"}}"#)
    for _ in 0..<2 { #expect(throws: WalletError.undecipherable) { try search.next(100) } }
    #expect(try search.next(Search.firstChunk).records.map(\.id) == (0..<Search.firstChunk).map { "\($0)" })
    #expect(throws: WalletError.undecipherable) { try search.next(1) }
  }

  @Test(arguments: [#"{"~n":{"$regex":"x"}}"#, #"{"~n":{"$gt":5}}"#]) func aTagOfAnotherKindIsDamage(query: String)
    throws
  {
    try home.database().execute("UPDATE tags_plaintext SET value = 7 WHERE item_id = 3")
    #expect(throws: WalletError.corrupt(reason: "a tag is neither text nor a blob")) {
      try wallet.search(type: "t", query: query).next(200)
    }
  }

  /// Only the tags of the records in question are read.
  @Test func aTagOfAnotherTypeDisturbsNoSearch() throws {
    try wallet.insert(Record(type: "other", id: "1", value: "v", tags: ["b": "x"]))
    try damageTag(of: "1", type: "other")
    for query in [#"{"b":{"$regex":"x"}}"#, #"{"$not":{"b":{"$gt":5}}}"#, #"{"$or":[{"b":{"$regex":"x"}},{"c":"1"}]}"#]
    {
      #expect(try wallet.search(type: "t", query: query).next(200).records.count == 100, "\(query)")
    }
  }

  // MARK: Snapshots

  @Test func searchesThatHoldNothingEndNobodysSnapshot() throws {
    let search = try wallet.search(type: "t", query: "{}")
    let small = try (0..<30).map { try wallet.search(type: "t", query: #"{"~n":"\#($0)"}"#) }
    #expect(search.holdsSnapshot && small.allSatisfy { !$0.holdsSnapshot })
    withExtendedLifetime(small) {}
  }

  /// More searches than may hold a snapshot at once, one after the other.
  @Test func searchesThatAreGoneEndNobodysSnapshot() throws {
    let search = try wallet.search(type: "t", query: "{}")
    for _ in 0..<30 {
      let other = try wallet.search(type: "t", query: "{}")
      #expect(other.holdsSnapshot)
    }
    #expect(search.holdsSnapshot)
  }

  /// They wait for one writer, so that they share a few transactions.
  @Test func writesWithoutWaitingEndSnapshotsToo() throws {
    let search = try wallet.search(type: "t", query: "{}")
    let (wallet, isHeld, isReleased) = (wallet, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      try? wallet.writes.write { _ throws(WalletError) in
        isHeld.signal()
        isReleased.wait()
      }
    }
    isHeld.wait()
    // The records were one write.
    for index in 1..<1000 { try wallet.apply(.updateValue(type: "t", id: "1", value: "\(index)")) { _ in } }
    #expect(search.holdsSnapshot)
    isReleased.signal()
    for _ in 0..<2000 where search.holdsSnapshot { usleep(10_000) }
    #expect(!search.holdsSnapshot)
  }

  /// The search is still testing records when the wallet is closed, most likely.
  @Test func aSearchThatBeginsDuringClosingHoldsNoSnapshot() throws {
    let value = String(repeating: "a", count: 9) + "!"
    try wallet.insert((0..<2000).map { Record(type: "slow", id: "\($0)", value: "v", tags: ["~a": value]) })
    _ = try freeReader()  // a connection that is open already
    let (wallet, begun, ended) = (wallet, DispatchSemaphore(value: 0), Monitor<Result<Search, any Error>?>(nil))
    Thread.detachNewThread {
      begun.signal()
      let search = Result { try wallet.search(type: "slow", query: #"{"$not":{"~a":{"$regex":"^(a+)+$"}}}"#) }
      ended.withLock { $0 = search }
    }
    begun.wait()
    usleep(30_000)
    wallet.close()
    switch try #require(ended.wait(milliseconds: 20_000) { $0 }) {
    case .success(let search):
      #expect(!search.holdsSnapshot)
      #expect(try search.next(3000).records.count == 2000)
    case .failure(let error): #expect(error as? WalletError == .closed)
    }
  }
}
