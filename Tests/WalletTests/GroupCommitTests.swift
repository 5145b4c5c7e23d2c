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
  /// the order of the bodies, nil for success. Unless it is said, each makes one write.
  func together(_ bodies: [@Sendable (Wallet) throws -> Void], writes: Int? = nil) -> [WalletError?] {
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
    while wallet.writes.waitingCount < writes ?? bodies.count { usleep(1000) }
    isReleased.signal()
    for _ in 0...bodies.count { done.wait() }
    return answers.withLock { $0 }
  }

  func add(_ id: String, value: String = "v") -> @Sendable (Wallet) throws -> Void {
    { wallet in try wallet.apply(.add(Record(type: "t", id: id, value: value, tags: ["a": id]))) }
  }

  /// A write is tried again if its transaction failed. The last try counts.
  @Test func theLastTryOfAWriteCounts() throws {
    let (tries, ended) = (Locked(0), Monitor<[WalletError?]>([]))
    let answers = together([
      add("1"),
      { wallet in
        wallet.writes.write { (writer: Writer) throws(WalletError) in
          let isFirst = tries.withLock { tries in
            tries += 1
            return tries == 1
          }
          if isFirst { throw .recordExists }
        } then: { (failure: WalletError?) in
          ended.withLock { $0.append(failure) }
        }
      },
    ])
    #expect(answers == [nil, nil])
    #expect(ended.wait(milliseconds: 20_000) { $0.isEmpty ? nil : $0 } == [nil])
    #expect(tries.withLock { $0 } > 1)
  }

  /// However many wait, others come to their turn meanwhile, and who waits for the own write gets it.
  @Test func aTransactionHasItsLimit() throws {
    let (count, ended) = (1500, Monitor(0))
    let before = wallet.writes.commits
    let answers = together(
      [
        { wallet in
          for index in 0..<count {
            try wallet.apply(.add(Record(type: "t", id: "\(index)", value: "v"))) { failure in
              #expect(failure == nil)
              ended.withLock { $0 += 1 }
            }
          }
          try wallet.apply(.add(Record(type: "t", id: "own", value: "v")))
          #expect(try wallet.record(type: "t", id: "own").value == "v")
        }
      ], writes: count + 1)
    #expect(answers == [nil])
    #expect(ended.wait(milliseconds: 60_000) { $0 == count ? true : nil } == true)
    #expect(try wallet.record(type: "t", id: "\(count - 1)").value == "v")
    #expect(wallet.writes.commits - before == 4)  // that of `together`, and three for the writes
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
    #expect(try home.database().rows("SELECT count(*) FROM items") == [[.integer(20)]])
  }

  /// Waiting and asynchronous writers in one transaction: each is told once, when its record is there for all.
  @Test func aCallerThatDoesNotWaitIsAnsweredOnce() throws {
    try wallet.apply(.add(Record(type: "t", id: "taken", value: "old")))
    let (wallet, endings) = (wallet, Monitor<[String: [WalletError?]]>([:]))
    let ids = (0..<40).map { "\($0)" } + ["taken"]
    let answers = together([
      { wallet in
        for id in ids {
          try wallet.apply(.add(Record(type: "t", id: id, value: "v"))) { failure in
            let isThere = (try? wallet.record(type: "t", id: id)) != nil
            endings.withLock { $0[id, default: []].append(isThere ? failure : .recordNotFound) }
          }
        }
        try wallet.apply(.add(Record(type: "t", id: "waited for", value: "v")))
      }
    ])
    #expect(answers == [nil])
    let told = try #require(endings.wait(milliseconds: 20_000) { $0.count == ids.count ? $0 : nil })
    for id in ids { #expect(told[id] == [id == "taken" ? .recordExists : nil]) }
    #expect(throws: WalletError.reservedType) {
      try wallet.apply(.delete(type: "Indy::Did", id: "i")) { _ in Issue.record("called") }
    }
  }

  /// A slow answer to one caller holds up nobody else.
  @Test func aSlowAnswerDelaysNobodyElse() throws {
    let (begun, isReleased, ended) = (Monitor(0), Monitor(false), Monitor(0))
    for index in 0..<30 {
      let change = RecordChange.add(Record(type: "t", id: "\(index)", value: "v"))
      Threads.shared.post { [wallet] in
        try? wallet.apply(change) { _ in
          begun.withLock { $0 += 1 }
          if index < 20 { isReleased.wait { $0 ? () : nil } }
          ended.withLock { $0 += 1 }
        }
      }
    }
    #expect(begun.wait(milliseconds: 20_000) { $0 == 30 ? true : nil } == true)
    try wallet.apply(.add(Record(type: "t", id: "later", value: "v")))
    isReleased.withLock { $0 = true }
    #expect(ended.wait(milliseconds: 20_000) { $0 == 30 ? true : nil } == true)
  }

  @Test func afterClosingEverybodyIsRefused() throws {
    wallet.close()
    let told = Monitor<[WalletError?]>([])
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v"))) { failure in told.withLock { $0.append(failure) } }
    #expect(told.wait(milliseconds: 20_000) { $0.isEmpty ? nil : $0 } == [.closed])
    #expect(throws: WalletError.closed) { try wallet.apply(.add(Record(type: "t", id: "i", value: "v"))) }
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

  @Test func aWriteThatFillsTheDiskFailsAlone() throws {
    try wallet.limitPages(60)
    let large = add("large", value: String(repeating: "x", count: 1_000_000))
    #expect(together([add("1"), large, add("2")]) == [nil, .diskFull, nil])
    for id in ["1", "2"] { #expect(try wallet.record(type: "t", id: id).value == "v") }
    #expect(throws: WalletError.recordNotFound) { try wallet.record(type: "t", id: "large") }
  }

  @Test func aWriterInAnotherProcessIsWaitedForNotForever() throws {
    try wallet.writes.write { writer throws(WalletError) in writer.database.waitForLocks(milliseconds: 20) }
    let other = try home.database()
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
        try writer.database.execute("PRAGMA max_page_count=\(pages)")
      } catch { throw WalletError(error) }
    }
  }
}
