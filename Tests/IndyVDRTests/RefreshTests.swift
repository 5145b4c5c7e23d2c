import Glibc
import JSON
import Testing
import Threading

@testable import IndyVDR

/// The calls that a pool makes of a library whose network answers at once.
@Suite(.serialized) struct RefreshTests {
  private enum Network {
    static let calls = Locked<[String]>([])
    /// The code that a refresh ends with.
    static let code = Locked<Int64>(0)
    /// The threads that a refresh waits for, and the threads that have come.
    static let awaited = Locked(0)
    static let arrived = Monitor(0)
  }

  private let pool: LedgerPool

  init() throws {
    Network.calls.withLock { $0 = [] }
    let functions = LedgerFunctions.stub(
      refreshPool: { _, reply, number in
        Network.calls.withLock { $0.append("refresh") }
        let awaited = Network.awaited.withLock { $0 }
        Network.arrived.wait { $0 >= awaited ? () : nil }
        if awaited > 0 { usleep(50_000) }
        reply(number, Network.code.withLock { $0 })
        return 0
      },
      submit: { _, _, reply, number in
        Network.calls.withLock { $0.append("submit") }
        reply(number, 0, strdup(#"{"result":{"data":null}}"#))
        return 0
      })
    pool = try LedgerPool(Genesis(PoolTests.node.text), library: LedgerLibrary(functions: functions))
  }

  @Test func theNodesAreAskedOnceForTheNewestList() throws {
    Network.code.withLock { $0 = 0 }
    for _ in 0..<2 { #expect(try pool.submit(.nym("V4SGRU86Z58d6TV7PBUe6f")) == ["data": nil]) }
    #expect(Network.calls.withLock { $0 } == ["refresh", "submit", "submit"])
  }

  /// A network without an answer costs each thread the time of one attempt.
  @Test func threadsThatWaitShareOneRefresh() {
    Network.code.withLock { $0 = 32 }
    Network.awaited.withLock { $0 = 4 }
    Network.arrived.withLock { $0 = 0 }
    defer { Network.awaited.withLock { $0 = 0 } }
    let (results, threads) = (Monitor<[Result<JSON, LedgerError>]>([]), Threads(limit: 4))
    for _ in 0..<4 {
      threads.post { [pool] in
        Network.arrived.withLock { $0 += 1 }
        let result = Result { () throws(LedgerError) in try pool.submit(.transaction(1)) }
        results.withLock { $0.append(result) }
      }
    }
    let expected = [Result<JSON, LedgerError>](repeating: .failure(.unreachable("error 32")), count: 4)
    #expect(results.wait { $0.count == 4 ? $0 : nil } == expected)
    #expect(Network.calls.withLock { $0 } == ["refresh"])
  }

  @Test func aRefreshThatFailedIsTriedAgain() throws {
    Network.code.withLock { $0 = 32 }
    #expect(throws: LedgerError.unreachable("error 32")) { try pool.submit(.transaction(1)) }
    Network.code.withLock { $0 = 0 }
    _ = try pool.submit(.transaction(1))
    #expect(Network.calls.withLock { $0 } == ["refresh", "refresh", "submit"])
  }
}
