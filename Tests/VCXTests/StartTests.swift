import JSON
import MSDK
import Testing
import Threading

@testable import VCX

/// Operations on objects, through a table of the test's own.
@Suite struct StartTests {
  struct Ledger: Sendable {
    var entries: [UInt32] = []
  }

  private let ledgers = HandleTable<Ledger>(missing: .invalidConnectionHandle, kind: "ledger")

  @Test func operationsOnOneObjectRunInTheOrderOfTheCalls() async throws {
    let handle = try ledgers.insert(Ledger())
    for number in 0..<200 as Range<UInt32> {
      let completion = Completion<Void>(0, { _, _ in })
      #expect(start(completion, on: handle, of: ledgers, plain(number)) { $0.entries.append($1) } == 0)
    }
    let ending = await strings.call { command in
      start(Completion(command, stringCallback), on: handle, of: ledgers) { ledger in
        ledger.entries == Array(0..<200) ? "in order" : "\(ledger.entries)"
      }
    }
    #expect(ending.delivery?.value == "in order")
  }

  @Test func anUnknownHandleReachesTheCallbackWithTheCodeOfTheTable() async throws {
    let ending = await numbers.call { command in
      start(Completion(command, numberCallback), on: 4711, of: ledgers) { _ in 1 }
    }
    let delivery = try #require(ending.delivery)
    #expect(delivery.error == 1003)
    #expect(delivery.value == 0)
    let error = try JSON(parsing: try #require(delivery.currentError))
    #expect(error["cause"]?.string == "no ledger has the handle 4711")
  }

  @Test func aFunctionMayHaveAnAnswerOfItsOwnForAnUnknownHandle() async {
    let success = await numbers.call { command in
      start(Completion(command, numberCallback), on: 4711, of: ledgers, unknown: .value(9)) { _ in 1 }
    }
    #expect(success.delivery?.error == 0)
    #expect(success.delivery?.value == 9)
    let failure = await numbers.call { command in
      start(Completion(command, numberCallback), on: 4711, of: ledgers, unknown: .error(.invalidObjHandle)) { _ in 1 }
    }
    #expect(failure.delivery?.error == 1048)
  }

  @Test func anErrorCanCarryAValueOfTheObject() async throws {
    let handle = try ledgers.insert(Ledger(entries: [1, 2, 3]))
    let ending = await numbers.call { command in
      start(Completion(command, numberCallback), on: handle, of: ledgers, failing: { UInt32($0.entries.count) }) {
        (_: inout Ledger) in throw VCXError(.postMsgFailure, "no network")
      }
    }
    #expect(ending.delivery?.error == 1010)
    #expect(ending.delivery?.value == 3)
  }

  @Test func anErrorWithoutAnObjectCanCarryAValue() async {
    let ending = await strings.call { command in
      start(Completion(command, stringCallback), text(constant("id"), "text"), failing: "") { _ in
        throw VCXError(.walletRecordNotFound, "no such record")
      }
    }
    #expect(ending.delivery?.error == 1073)
    #expect(ending.delivery?.value == "")
  }

  @Test func anErrorOfALowerLayerWithoutACodeIsUnknown() async {
    struct Surprise: Error {}
    let ending = await strings.call { command in
      start(Completion(command, stringCallback)) { throw Surprise() }
    }
    #expect(ending.delivery?.error == 1001)
    #expect(ending.delivery?.value == nil)
  }

  @Test func inputsAreJudgedInOrderAndRefusedByTheReturnValue() async throws {
    let handle = try ledgers.insert(Ledger())
    let json = text(constant("{"), "text").map { text in
      guard text.count > 1 else { throw VCXError(.invalidJson, "not JSON") }
      return text
    }
    let refused = await strings.call { command in
      start(Completion(command, stringCallback), on: handle, of: ledgers, json, text(nil, "text")) { _, _, _ in
        "unreached"
      }
    }
    #expect(refused.refusal == 1016)
    let unknown = await strings.call { command in
      start(Completion(command, stringCallback), known(4711, in: ledgers)) { _ in "unreached" }
    }
    #expect(unknown.refusal == 1003)
  }

  @Test func withoutACallbackNothingStarts() throws {
    let code = start(Completion(0, nil as vcx_done_cb?)) { Issue.record("started") }
    #expect(code == 1007)
    #expect(
      try JSON(parsing: try #require(currentError()))["cause"]?.string == "the argument cb, the callback, is NULL")
  }

  @Test func aCallbackMayWaitForAnOperationOnItsOwnObject() async throws {
    let handle = try ledgers.insert(Ledger())
    let (table, finished) = (ledgers, Locked(false))
    await withCheckedContinuation { continuation in
      waitingCallback.withLock { body in
        body = {
          let inner = start(Completion(0, { _, _ in innerRan.withLock { $0 = true } }), on: handle, of: table) {
            (_: inout Ledger) in
          }
          #expect(inner == 0)
          while !innerRan.withLock({ $0 }) {}
          finished.withLock { $0 = true }
          continuation.resume()
        }
      }
      let code = start(Completion(0, { _, _ in waitingCallback.withLock { $0 }() }), on: handle, of: ledgers) {
        (_: inout Ledger) in
      }
      #expect(code == 0)
    }
    #expect(finished.withLock { $0 })
  }

  /// The connection is busy when the first operation is called: the second must not overtake it.
  @Test func anOperationOverAConnectionKeepsItsTurn() async throws {
    let handle = try ledgers.insert(Ledger())
    let connection = try connections.insert(Connection(sourceID: "peer", inviting: .connection))
    defer { connections.remove(connection) }
    let isFree = Monitor(false)
    try #require(connections[connection]).lane.post { _ in
      isFree.wait { $0 ? () : nil }
      return {}
    }
    let first = start(Completion<Void>(0, { _, _ in }), on: handle, of: ledgers, over: connection) {
      (ledger: inout Ledger, _) in ledger.entries.append(1)
    }
    let second = start(Completion<Void>(0, { _, _ in }), on: handle, of: ledgers) {
      (ledger: inout Ledger) in ledger.entries.append(2)
    }
    #expect([first, second] == [0, 0])
    let ending = await strings.call { command in
      let code = start(Completion(command, stringCallback), on: handle, of: ledgers) { (ledger: inout Ledger) in
        "\(ledger.entries)"
      }
      isFree.withLock { $0 = true }
      return code
    }
    #expect(ending.delivery?.value == "[1, 2]")
  }

  @Test func aReleasedObjectFinishesItsOperations() async throws {
    let handle = try ledgers.insert(Ledger())
    let table = ledgers
    let ending = await numbers.call { command in
      let code = start(Completion(command, numberCallback), on: handle, of: table) { (ledger: inout Ledger) in
        ledger.entries.append(5)
        return ledger.entries[0]
      }
      table.remove(handle)
      return code
    }
    #expect(ending.delivery?.value == 5)
    #expect(ledgers[handle] == nil)
  }
}

// C callbacks capture nothing: these two are for the one test that waits inside.
private let waitingCallback = Locked<@Sendable () -> Void>({})
private let innerRan = Locked(false)
