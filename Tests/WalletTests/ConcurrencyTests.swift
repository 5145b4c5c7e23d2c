import DIDComm
import Foundation
import TestSupport
import Testing
import Threading

@testable import Wallet

@Suite struct ConcurrencyTests {
  let home: Home
  let wallet: Wallet

  init() throws {
    home = try Home()
    wallet = try home.wallet()
  }

  /// Runs `body` on `count` threads at once and returns what went wrong.
  func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [any Error] {
    let (errors, done) = (Locked<[any Error]>([]), DispatchSemaphore(value: 0))
    for index in 0..<count {
      Thread.detachNewThread {
        do { try body(index) } catch { errors.withLock { $0.append(error) } }
        done.signal()
      }
    }
    for _ in 0..<count { done.wait() }
    return errors.withLock { $0 }
  }

  @Test func writersAndReadersDoNotDisturbEachOther() throws {
    let wallet = wallet
    let errors = onThreads(16) { thread in
      for index in 0..<25 {
        let record = Record(
          type: "t", id: "\(thread)-\(index)", value: "v", tags: ["a": "\(thread)", "~b": "\(index)"])
        try wallet.apply(.add(record))
        guard try wallet.record(type: "t", id: record.id) == record else { throw WalletError.undecipherable }
        try wallet.apply(.updateValue(type: "t", id: record.id, value: "w"))
        if index.isMultiple(of: 2) { try wallet.apply(.delete(type: "t", id: record.id)) }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(try home.database().rows("SELECT count(*) FROM items") == [[.integer(16 * 12)]])
    #expect(try home.database().rows("SELECT count(*) FROM tags_plaintext") == [[.integer(16 * 12)]])
  }

  @Test func oneOfManyEqualInsertsWins() throws {
    let wallet = wallet
    let (won, lost) = (Locked(0), Locked(0))
    let errors = onThreads(16) { thread in
      for index in 0..<10 {
        do {
          try wallet.apply(.add(Record(type: "t", id: "\(index)", value: "\(thread)", tags: ["by": "\(thread)"])))
          won.withLock { $0 += 1 }
        } catch WalletError.recordExists {
          lost.withLock { $0 += 1 }
        }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(won.withLock { $0 } == 10 && lost.withLock { $0 } == 150)
    for index in 0..<10 {
      let record = try wallet.record(type: "t", id: "\(index)")
      #expect(record.tags == ["by": record.value])
    }
  }

  @Test func closingLetsWorkUnderWayEndProperly() throws {
    let wallet = wallet
    let confirmed = Locked<[String]>([])
    let errors = onThreads(9) { thread in
      guard thread > 0 else {
        while confirmed.withLock({ $0.isEmpty }) { usleep(1000) }
        usleep(20_000)
        wallet.close()
        return
      }
      do {
        for index in 0... {
          let id = "\(thread)-\(index)"
          try wallet.apply(.add(Record(type: "t", id: id, value: "v")))
          confirmed.withLock { $0.append(id) }
          _ = try wallet.record(type: "t", id: id)
        }
      } catch WalletError.closed {}
    }
    #expect(errors.isEmpty, "\(errors)")
    let again = try home.open()
    let ids = confirmed.withLock { $0 }
    #expect(!ids.isEmpty)
    for id in ids { #expect(try again.record(type: "t", id: id).value == "v") }
  }

  @Test func oneOfManyOpenersWins() throws {
    wallet.close()
    let (location, key) = (try home.location(), home.key)
    let (opened, refused) = (Locked<[Wallet]>([]), Locked(0))
    let errors = onThreads(8) { _ in
      do {
        let wallet = try Wallet.open(location, key: key, derivation: .raw)
        opened.withLock { $0.append(wallet) }
      } catch WalletError.alreadyOpen {
        refused.withLock { $0 += 1 }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(opened.withLock { $0.count } == 1 && refused.withLock { $0 } == 7)
  }

  @Test func keysAreMadeAndFoundFromAllThreads() throws {
    let wallet = wallet
    let errors = onThreads(8) { _ in
      for _ in 0..<10 {
        let (did, verkey) = try wallet.createDID()
        guard try wallet.verkey(of: did) == verkey, try wallet.keyPair(for: verkey)?.verkey == verkey else {
          throw WalletError.recordNotFound
        }
      }
    }
    #expect(errors.isEmpty, "\(errors)")
  }
  @Test func theLinkSecretIsMadeOnce() throws {
    let wallet = wallet
    let found = Locked<[String]>([])
    let errors = onThreads(8) { _ in
      let digits = try wallet.linkSecret().text
      found.withLock { $0.append(digits) }
    }
    #expect(errors.isEmpty, "\(errors)")
    #expect(found.withLock { $0.count } == 8 && Set(found.withLock { $0 }).count == 1)
  }
}
