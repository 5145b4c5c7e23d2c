import Foundation
import Testing

@testable import HTTPServing

/// The table of a server's connections, which decides about the ones to close.
@Suite final class ConnectionsTests {
  /// A connection of the table, and its other end.
  final class Pair {
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

  // MARK: Memory

  @Test func bodiesTakeTheMemoryOfAllAndOfTheirClient() {
    let budget = BodyBudget(limit: 100, limitPerClient: 40)
    #expect(!budget.take(41, for: "a") && budget.take(30, for: "a") && budget.take(10, for: "a"))
    #expect(!budget.take(1, for: "a") && budget.take(0, for: "a") && budget.take(1, for: "b"))
    #expect(!budget.take(60, for: nil) && budget.take(59, for: nil))
    #expect(!budget.take(1, for: "b"))
    budget.giveBack(10, of: "a")
    #expect(!budget.take(11, for: "a") && budget.take(4, for: "b") && budget.take(6, for: "a"))
    #expect(!budget.take(1, for: nil))
    budget.giveBack(59, of: nil)
    budget.giveBack(36, of: "a")
    #expect(!budget.take(41, for: "a") && budget.take(40, for: "a") && budget.take(35, for: "b"))
    #expect(!budget.take(1, for: "b") && budget.take(20, for: nil) && !budget.take(1, for: nil))
  }

  /// The answer to a request: the bytes that it holds, and the reason of a refusal.
  private func append(_ pieces: [Int], to exchange: ServerExchange, _ budget: BodyBudget) {
    for count in pieces {
      [UInt8](repeating: 7, count: count).withUnsafeBytes { exchange.append($0, limit: 50, budget) }
    }
  }

  @Test(
    arguments: [
      ([50], nil, 0, 50), ([20, 30], nil, 0, 50), ([51], .bodyTooLarge, 51, 0), ([20, 31], .bodyTooLarge, 31, 0),
      ([20, 31, 5], .bodyTooLarge, 36, 0), ([1, 45, 4], nil, 0, 50),
    ] as [([Int], HTTPServer.Refusal?, Int, Int)])
  func aBodyIsKeptUpToItsLimit(pieces: [Int], refusal: HTTPServer.Refusal?, excess: Int, held: Int) {
    let budget = BodyBudget(limit: 100, limitPerClient: 100)
    let exchange = ServerExchange(method: "POST", path: "/", client: "a")
    append(pieces, to: exchange, budget)
    #expect(exchange.refusal == refusal && exchange.excess == excess)
    #expect(exchange.release() == held && exchange.release() == 0)
    budget.giveBack(held, of: "a")
    #expect(budget.take(100, for: "a"))
  }

  @Test func aBodyWithoutMemoryIsRefusedAndHoldsNone() {
    let budget = BodyBudget(limit: 100, limitPerClient: 100)
    #expect(budget.take(60, for: "b"))
    let exchange = ServerExchange(method: "POST", path: "/", client: "a")
    append([30, 11], to: exchange, budget)
    #expect(exchange.refusal == .tooBusy && exchange.excess == 11)
    #expect(budget.take(40, for: "a"))
    // The first reason stays, although there would be memory again.
    budget.giveBack(40, of: "a")
    append([1, 60], to: exchange, budget)
    #expect(exchange.refusal == .tooBusy && exchange.excess == 72 && exchange.release() == 0)
  }

  @Test(arguments: [(4000, 1000, 1000), (4003, 1000, 1000), (4004, 1000, 1001), (100, 1000, 1000)])
  func aClientMayTakeItsPartAndAlwaysOneBody(bodies: Int, body: Int, share: Int) {
    var limits = HTTPServer.Limits()
    (limits.bodies, limits.body) = (bodies, body)
    #expect(limits.bodiesPerClient == share)
  }
}
