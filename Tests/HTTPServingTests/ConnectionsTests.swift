import Foundation
import Testing
import Threading

@testable import HTTPServing

/// The table of a server's connections, which decides about the ones to close.
@Suite final class ConnectionsTests {
  /// A connection of the table, and its other end.
  final class Pair: Sendable {
    let own: Int32
    private let other: Int32

    init() {
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      (own, other) = (ends[0], ends[1])
    }

    deinit {
      close(own)
      close(other)
    }

    /// Whether the table has cut the connection: the other end reads the end of the stream.
    var isCut: Bool {
      var byte: UInt8 = 0
      return recv(other, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }
  }

  /// They stay open as long as the test runs.
  private var pairs: [Pair] = []

  private func pair() -> Pair {
    let pair = Pair()
    pairs.append(pair)
    return pair
  }

  @Test func aConnectionIsCutWhenItsTimeIsOver() {
    let table = Connections(limit: 10, limitPerClient: 10)
    let (late, waiting, renewed, suspended) = (pair(), pair(), pair(), pair())
    table.add(1, socket: late.own, client: "a", seconds: 0)
    table.add(2, socket: waiting.own, client: "a", seconds: 1000)
    table.add(3, socket: renewed.own, client: "a", seconds: 0)
    table.renew(3, seconds: 1000)
    table.add(4, socket: suspended.own, client: nil, seconds: 0)
    table.suspend(4)
    table.enforce()
    #expect(late.isCut && !waiting.isCut && !renewed.isCut && !suspended.isCut)
    table.renew(2, seconds: 0)
    table.renew(4, seconds: 0)
    table.enforce()
    #expect(waiting.isCut && !renewed.isCut && suspended.isCut)
  }

  @Test func theClientOfAConnectionIsKnownUntilItIsForgotten() {
    let table = Connections(limit: 10, limitPerClient: 10)
    let (one, shared) = (pair(), pair())
    table.add(1, socket: one.own, client: "a", seconds: 10)
    table.add(2, socket: shared.own, client: nil, seconds: 10)
    #expect(table.client(of: 1) == "a" && table.client(of: 2) == nil && table.client(of: 3) == nil)
    table.forget(1)
    table.forget(1)
    #expect(table.client(of: 1) == nil)
  }

  @Test func aHeldConnectionTakesNoPlaceUntilItIsReleased() {
    let table = Connections(limit: 1, limitPerClient: 1)
    let (held, other) = (pair(), pair())
    table.add(1, socket: held.own, client: "a", seconds: 10)
    table.suspend(1)
    #expect(table.hold(1) == held.own)
    table.add(2, socket: other.own, client: "a", seconds: 10)
    #expect(!held.isCut && !other.isCut)
    #expect(table.release(1) == held.own && table.release(1) == nil)
    #expect(!held.isCut && !other.isCut, "an answer cuts nobody")
    let next = pair()
    table.add(5, socket: next.own, client: "a", seconds: 10)
    #expect(!held.isCut && other.isCut)
    for connection in [1, 2, 5] as [UInt] { table.forget(connection) }
    let (last, late) = (pair(), pair())
    table.add(3, socket: last.own, client: "a", seconds: 10)
    _ = table.hold(3)
    table.forget(3)
    table.add(4, socket: late.own, client: "a", seconds: 10)
    #expect(!late.isCut)
  }

  @Test func ofTooManyTheLongestAwaitedOneIsCut() {
    let table = Connections(limit: 3, limitPerClient: 10)
    let (one, two, three, four) = (pair(), pair(), pair(), pair())
    table.add(1, socket: one.own, client: "a", seconds: 10)
    table.add(2, socket: two.own, client: nil, seconds: 10)
    table.add(3, socket: three.own, client: "b", seconds: 10)
    table.suspend(1)
    #expect(!two.isCut)
    table.add(4, socket: four.own, client: "c", seconds: 10)
    #expect(!one.isCut && two.isCut && !three.isCut && !four.isCut)
  }

  /// A connection that was cut has no time to wait for any more, and is counted off once.
  @Test func aConnectionThatWasCutCountsNoLonger() {
    let table = Connections(limit: 2, limitPerClient: 10)
    let (one, two, three, four) = (pair(), pair(), pair(), pair())
    table.add(1, socket: one.own, client: "a", seconds: 10)
    table.add(2, socket: two.own, client: "a", seconds: 10)
    table.add(3, socket: three.own, client: "a", seconds: 10)
    #expect(one.isCut && !two.isCut)
    table.renew(1, seconds: 0)
    table.enforce()
    table.forget(1)
    table.add(4, socket: four.own, client: "a", seconds: 10)
    #expect(two.isCut && !three.isCut && !four.isCut)
  }

  @Test func aClientHasItsOwnLimit() {
    let table = Connections(limit: 10, limitPerClient: 2)
    let (other, one, two, three, four, five) = (pair(), pair(), pair(), pair(), pair(), pair())
    table.add(9, socket: other.own, client: "b", seconds: 10)
    table.add(1, socket: one.own, client: "a", seconds: 10)
    table.add(2, socket: two.own, client: "a", seconds: 10)
    #expect(!one.isCut)
    table.add(3, socket: three.own, client: "a", seconds: 10)
    #expect(one.isCut && !two.isCut)
    // Of two that count, one ends: there is room for one.
    table.forget(2)
    table.add(4, socket: four.own, client: "a", seconds: 10)
    #expect(!three.isCut)
    table.add(5, socket: five.own, client: "a", seconds: 10)
    #expect(three.isCut && !four.isCut && !five.isCut && !other.isCut)
  }

  @Test func aSharedAddressHasOnlyTheLimitOfAll() {
    let table = Connections(limit: 3, limitPerClient: 1)
    let (one, two, three, four) = (pair(), pair(), pair(), pair())
    for (number, socket) in [one.own, two.own, three.own].enumerated() {
      table.add(UInt(number), socket: socket, client: nil, seconds: 10)
    }
    #expect(!one.isCut && !two.isCut && !three.isCut)
    table.forget(1)
    table.add(3, socket: four.own, client: nil, seconds: 10)
    #expect(!one.isCut && !three.isCut && !four.isCut)
  }

  // MARK: - The end

  /// As in a server, another thread forgets a connection when it has read its end.
  @Test func allConnectionsAreCutAndForgottenAtTheEnd() {
    let table = Connections(limit: 10, limitPerClient: 10)
    let (pairs, forgotten) = ([pair(), pair()], Locked(0))
    for (number, pair) in pairs.enumerated() { table.add(UInt(number), socket: pair.own, client: "a", seconds: 1000) }
    table.suspend(1)
    Threads(limit: 1).post {
      for (number, pair) in pairs.enumerated() {
        for _ in 0..<5000 where !pair.isCut { usleep(1000) }
        forgotten.withLock { $0 += 1 }
        table.forget(UInt(number))
      }
    }
    table.cutAll()
    #expect(pairs[0].isCut && pairs[1].isCut)
    #expect(forgotten.withLock { $0 } == 2)
  }

  @Test func aConnectionThatIsNeverForgottenDoesNotHoldUpTheEnd() {
    let table = Connections(limit: 10, limitPerClient: 10)
    let (one, ended) = (pair(), DispatchSemaphore(value: 0))
    table.add(1, socket: one.own, client: "a", seconds: 1000)
    Threads(limit: 1).post {
      table.cutAll()
      ended.signal()
    }
    #expect(ended.wait(timeout: .now() + 20) == .success && one.isCut)
    table.forget(1)
  }
}
