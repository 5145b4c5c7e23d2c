import Foundation
import SQLite
import TestSupport
import Testing
import Threading

@testable import Wallet

/// Writers that wait share a transaction, and each gets its own answer.
@Suite struct GroupCommitTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
  }

  /// Runs `bodies` at once on threads, made to wait for each other so that they share a transaction; the answers in
  /// the order of the bodies, nil for success.
  func together(_ bodies: [@Sendable (Wallet) throws -> Void]) -> [WalletError?] {
    let (wallet, answers) = (wallet, Locked([WalletError?](repeating: nil, count: bodies.count)))
    let (isHeld, isReleased, done) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    Thread.detachNewThread {
      try? wallet.writes.write { _ throws(WalletError) in
        isHeld.signal()
        isReleased.wait()
      }
      done.signal()
    }
    isHeld.wait()
    for (index, body) in bodies.enumerated() {
      Thread.detachNewThread {
        do {
          try body(wallet)
        } catch let error as WalletError {
          answers.withLock { $0[index] = error }
        } catch {
          Issue.record(error)
        }
        done.signal()
      }
    }
    while wallet.writes.waitingCount < bodies.count { usleep(1000) }
    isReleased.signal()
    for _ in 0...bodies.count { done.wait() }
    return answers.withLock { $0 }
  }

  func add(_ id: String, value: String = "v") -> @Sendable (Wallet) throws -> Void {
    { wallet in try wallet.apply(.add(Record(type: "t", id: id, value: value, tags: ["a": id]))) }
  }

  @Test func aFailureUndoesNoOther() throws {
    try wallet.apply(.add(Record(type: "t", id: "taken", value: "old")))
    let answers = together([
      add("1"), add("taken"), add("2"),
      { wallet in try wallet.apply(.delete(type: "t", id: "absent")) }, add("3"),
    ])
    #expect(answers == [nil, .recordExists, nil, .recordNotFound, nil])
    for id in ["1", "2", "3"] { #expect(try wallet.record(type: "t", id: id).tags == ["a": id]) }
    #expect(try wallet.record(type: "t", id: "taken").value == "old")
  }

  @Test func writesThatWaitShareATransaction() throws {
    let before = wallet.writes.commits
    #expect(together((0..<20).map { add("\($0)") }).allSatisfy { $0 == nil })
    // One for the body that made the others wait, one for the twenty.
    #expect(wallet.writes.commits - before == 2)
    #expect(try home.connection().rows("SELECT count(*) FROM items") == [[.integer(20)]])
  }

  @Test func aFullDiskIsAnErrorAndLosesNothing() throws {
    try wallet.limitPages(60)
    var stored = 0
    do {
      while stored < 10_000 {
        try wallet.apply(.add(Record(type: "t", id: "\(stored)", value: String(repeating: "x", count: 500))))
        stored += 1
      }
    } catch { #expect(error == .diskFull) }
    #expect(stored > 10 && stored < 10_000)
    for index in 0..<stored { _ = try wallet.record(type: "t", id: "\(index)") }
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "\(stored)") }
    try wallet.limitPages(10_000)
    try wallet.apply(.add(Record(type: "t", id: "\(stored)", value: "v")))
  }

  @Test func whoFillsTheDiskTakesNobodyAlong() throws {
    try wallet.limitPages(60)
    let large = add("large", value: String(repeating: "x", count: 1_000_000))
    #expect(together([add("1"), large, add("2")]) == [nil, .diskFull, nil])
    for id in ["1", "2"] { #expect(try wallet.record(type: "t", id: id).value == "v") }
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "large") }
  }

  @Test func aWriterInAnotherProcessIsWaitedForNotForever() throws {
    try wallet.writes.write { writer throws(WalletError) in writer.connection.waitForLocks(milliseconds: 20) }
    let other = try home.connection()
    try other.execute("BEGIN IMMEDIATE")
    #expect(throws: WalletError.busy) { try wallet.apply(.add(Record(type: "t", id: "i", value: "v"))) }
    try other.execute("COMMIT")
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
  }
}

extension Wallet {
  /// Makes the file as good as full at this many pages.
  fileprivate func limitPages(_ pages: Int) throws {
    try writes.write { writer throws(WalletError) in
      do throws(SQLiteError) {
        try writer.connection.execute("PRAGMA max_page_count=\(pages)")
      } catch { throw WalletError(error) }
    }
  }
}
