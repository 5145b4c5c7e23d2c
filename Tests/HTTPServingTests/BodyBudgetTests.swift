import Testing

@testable import HTTPServing

/// The memory that the bodies of requests may take.
@Suite struct BodyBudgetTests {
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

  /// Receives pieces of a body with so many bytes each, of which 50 in all are allowed.
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
