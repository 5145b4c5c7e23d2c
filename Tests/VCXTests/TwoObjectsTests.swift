import MSDK
import Testing
import Threading

@testable import VCX

/// Operations that need an object and a connection, or two objects of one kind.
@Suite struct TwoObjectsTests {
  struct Ledger: Sendable {
    var entries: [UInt32] = []
  }

  private let ledgers = HandleTable<Ledger>(missing: .invalidConnectionHandle, kind: "ledger")

  private func entries(of handle: UInt32) async -> String? {
    await strings.call { command in
      start(Completion(command, stringCallback), on: handle, of: ledgers) { "\($0.entries)" }
    }.delivery?.value
  }

  @Test func theOtherObjectIsSeenAfterItsEarlierOperations() async throws {
    let (handle, other) = (try ledgers.insert(Ledger()), try ledgers.insert(Ledger()))
    for number in 1...50 as ClosedRange<UInt32> {
      #expect(
        start(Completion(0, { _, _ in }), on: other, of: ledgers) { (ledger: inout Ledger) in
          ledger.entries.append(number)
        } == 0)
    }
    let ending = await done.call { command in
      start(Completion(command, doneCallback), on: handle, beside: other, of: ledgers) {
        (ledger: inout Ledger, other: Ledger) in ledger.entries = other.entries
      }
    }
    #expect(ending.delivery?.error == 0)
    #expect(await entries(of: handle) == "\(Array(1...50))")
  }

  @Test func twoThatNeedEachOtherDoNotWaitForEver() async throws {
    let (one, two) = (try ledgers.insert(Ledger(entries: [1])), try ledgers.insert(Ledger(entries: [2])))
    let table = ledgers
    await withTaskGroup(of: Void.self) { group in
      for (handle, other) in [(one, two), (two, one)] {
        group.addTask {
          let ending = await done.call { command in
            start(Completion(command, doneCallback), on: handle, beside: other, of: table) {
              (ledger: inout Ledger, other: Ledger) in ledger.entries.append(other.entries[0])
            }
          }
          #expect(ending.delivery?.error == 0)
        }
      }
    }
    #expect(await entries(of: one) == "[1, 2]")
    #expect(await entries(of: two) == "[2, 1]")
  }

  @Test func theUnknownOneOfTwoIsNamed() async throws {
    let handle = try ledgers.insert(Ledger())
    for (first, second) in [(handle, 4711), (4711, handle), (4711, 4712)] {
      let ending = await done.call { command in
        start(Completion(command, doneCallback), on: first, beside: second, of: ledgers) {
          (_: inout Ledger, _: Ledger) in Issue.record("started")
        }
      }
      #expect(ending.delivery?.error == 1003)
      #expect(ending.delivery?.currentError?.contains("no ledger has the handle 4711") == true)
    }
  }

  @Test func handle0MeansNoConnection() async throws {
    let handle = try ledgers.insert(Ledger())
    let ending = await strings.call { command in
      start(Completion(command, stringCallback), on: handle, of: ledgers, over: 0) { (_: inout Ledger, connection) in
        connection == nil ? "none" : "one"
      }
    }
    #expect(ending.delivery?.value == "none")
  }

  @Test func theConnectionIsSeenAfterItsEarlierOperations() async throws {
    let handle = try ledgers.insert(Ledger())
    let connection = try connections.insert(Connection(sourceID: "before", inviting: .connection))
    defer { connections.remove(connection) }
    let rename = start(Completion<Void>(0, { _, _ in }), on: connection, of: connections) {
      (connection: inout Connection) in connection = Connection(sourceID: "after", inviting: .connection)
    }
    #expect(rename == 0)
    let ending = await strings.call { command in
      start(Completion(command, stringCallback), on: handle, of: ledgers, over: connection) {
        (_: inout Ledger, connection) in connection?.sourceID ?? "none"
      }
    }
    #expect(ending.delivery?.value == "after")
  }

  /// Its error does not overtake the object's earlier operations.
  @Test func anUnknownConnectionIsToldInItsTurn() throws {
    let handle = try ledgers.insert(Ledger())
    let isFree = Monitor(false)
    try #require(ledgers[handle]).lane.post { _ in
      isFree.wait { $0 ? () : nil }
      ends.withLock { $0.append(0) }
      return {}
    }
    let code = start(
      Completion<Void>(0, { _, error in ends.withLock { $0.append(error) } }), on: handle, of: ledgers, over: 4711
    ) { (_: inout Ledger, _) in Issue.record("started") }
    #expect(code == 0)
    // An error that does not wait would come on one of these threads.
    Threads.shared.post { Threads.shared.post { isFree.withLock { $0 = true } } }
    #expect(ends.wait { $0.count == 2 ? $0 : nil } == [0, 1003])
  }
}

// C callbacks capture nothing: this is for the one test whose callback is its own.
private let ends = Monitor<[UInt32]>([])
