import Testing

@testable import HTTPServing

/// The memory that the bodies of requests and answers may take.
@Suite struct MemoryBudgetTests {
  @Test func bodiesTakeTheMemoryOfAllAndOfTheirClient() {
    let budget = MemoryBudget(limit: 100, limitPerParty: 40)
    #expect(!budget.take(41, for: ["a"]) && budget.take(30, for: ["a"]) && budget.take(10, for: ["a"]))
    #expect(!budget.take(1, for: ["a"]) && budget.take(0, for: ["a"]) && budget.take(1, for: ["b"]))
    #expect(!budget.take(60, for: []) && budget.take(59, for: []))
    #expect(!budget.take(1, for: ["b"]))
    budget.giveBack(10, of: ["a"])
    #expect(!budget.take(11, for: ["a"]) && budget.take(4, for: ["b"]) && budget.take(6, for: ["a"]))
    #expect(!budget.take(1, for: []))
    budget.giveBack(59, of: [])
    budget.giveBack(36, of: ["a"])
    #expect(!budget.take(41, for: ["a"]) && budget.take(40, for: ["a"]) && budget.take(35, for: ["b"]))
    #expect(!budget.take(1, for: ["b"]) && budget.take(20, for: []) && !budget.take(1, for: []))
  }

  /// Receives pieces of a body with so many bytes each, of which 50 in all are allowed.
  private func append(_ pieces: [Int], to exchange: ServerExchange) {
    for count in pieces {
      [UInt8](repeating: 7, count: count).withUnsafeBytes { exchange.append($0, limit: 50) }
    }
  }

  @Test(
    arguments: [
      ([50], nil, 0, 50), ([20, 30], nil, 0, 50), ([51], .bodyTooLarge, 51, 0), ([20, 31], .bodyTooLarge, 31, 0),
      ([20, 31, 5], .bodyTooLarge, 36, 0), ([1, 45, 4], nil, 0, 50),
    ] as [([Int], HTTPServer.Refusal?, Int, Int)])
  func aBodyIsKeptUpToItsLimit(pieces: [Int], refusal: HTTPServer.Refusal?, excess: Int, held: Int) {
    let budget = MemoryBudget(limit: 100, limitPerParty: 100)
    let exchange = ServerExchange(target: "/", memory: MemoryShare(of: "a", in: budget))
    append(pieces, to: exchange)
    #expect(exchange.refusal == refusal && exchange.excess == excess)
    #expect(exchange.memory.body == held)
    #expect(!budget.take(101 - held, for: ["a"]) && budget.take(100 - held, for: ["a"]))
    exchange.memory.giveBack()
    #expect(exchange.memory.body == 0 && budget.take(held, for: ["a"]))
  }

  @Test func aBodyWithoutMemoryIsRefusedAndHoldsNone() {
    let budget = MemoryBudget(limit: 100, limitPerParty: 100)
    #expect(budget.take(60, for: ["b"]))
    let exchange = ServerExchange(target: "/", memory: MemoryShare(of: "a", in: budget))
    append([30, 11], to: exchange)
    #expect(exchange.refusal == .tooBusy && exchange.excess == 11)
    #expect(budget.take(40, for: ["a"]))
    // The first reason stays, although there would be memory again.
    budget.giveBack(40, of: ["a"])
    append([1, 60], to: exchange)
    #expect(exchange.refusal == .tooBusy && exchange.excess == 72 && exchange.memory.body == 0)
  }

  /// The party of an answer with a reservation is the account; otherwise it is the client.
  @Test(arguments: [(nil, 30, true), (nil, 80, true), (nil, 81, false), (60, 20, true), (60, 60, true), (60, 99, true)])
  func anAnswerTakesThePlaceOfItsRequest(reserved: Int?, answer: Int, isFitting: Bool) throws {
    let budget = MemoryBudget(limit: 100, limitPerParty: 90)
    #expect(budget.take(20, for: ["other"]))
    let share = MemoryShare(of: "client", in: budget)
    #expect(share.growBody(to: 10))
    if let reserved { #expect(share.reserveAnswer(reserved, for: ["account"])) }
    #expect(share.keepAnswer(answer) == isFitting)
    if isFitting {
      let left = 80 - min(answer, reserved ?? answer)
      #expect(!budget.take(left + 1, for: []) && budget.take(left, for: []))
      budget.giveBack(left, of: [])
    }
    share.giveBack()
    #expect(budget.take(80, for: []) && !budget.take(1, for: []))
  }

  @Test func anAnswerIsAtTheExpenseOfItsAccount() {
    let budget = MemoryBudget(limit: 100, limitPerParty: 40)
    let shares = (0..<3).map { _ in MemoryShare(of: nil, in: budget) }
    #expect(shares[0].reserveAnswer(30, for: ["a"]) && !shares[1].reserveAnswer(11, for: ["a"]))
    #expect(shares[1].reserveAnswer(10, for: ["a"]) && shares[2].reserveAnswer(40, for: ["b"]))
    // A second reservation replaces the first.
    #expect(shares[0].reserveAnswer(20, for: ["c"]) && shares[1].reserveAnswer(40, for: ["a"]))
    // An answer that is longer than the part takes all of the part: otherwise nobody could ever get it.
    shares[2].giveBack()
    #expect(shares[2].reserveAnswer(1000, for: ["b"]) && !budget.take(1, for: []))
  }

  @Test func anAnswerIsAtTheExpenseOfAllItsParties() {
    let budget = MemoryBudget(limit: 100, limitPerParty: 40)
    let shares = (0..<4).map { _ in MemoryShare(of: nil, in: budget) }
    #expect(shares[0].reserveAnswer(30, for: ["a", "one"]) && !shares[1].reserveAnswer(30, for: ["b", "one"]))
    // The refusal took nothing from the other party.
    #expect(shares[1].reserveAnswer(40, for: ["b", "two"]) && shares[2].reserveAnswer(10, for: ["c", "one"]))
    #expect(!shares[3].reserveAnswer(1, for: ["d", "two"]) && shares[0].keepAnswer(20))
    #expect(!shares[3].reserveAnswer(11, for: ["d", "one"]) && shares[3].reserveAnswer(10, for: ["d", "one"]))
    shares[1].giveBack()
    #expect(shares[1].reserveAnswer(40, for: ["b", "two"]))
  }

  @Test func aShareThatIsForgottenIsGivenBack() {
    let budget = MemoryBudget(limit: 100, limitPerParty: 100)
    for _ in 0..<3 {
      let share = MemoryShare(of: "a", in: budget)
      #expect(share.growBody(to: 40) && share.reserveAnswer(60, for: ["b"]))
    }
    #expect(budget.take(100, for: ["a"]))
  }

  @Test(arguments: [(4000, 1000, 1000), (4003, 1000, 1000), (4004, 1000, 1001), (100, 1000, 1000)])
  func aClientMayTakeItsPartAndAlwaysOneBody(bodies: Int, body: Int, share: Int) {
    var limits = HTTPServer.Limits()
    (limits.bodies, limits.body) = (bodies, body)
    #expect(limits.bodiesPerClient == share)
  }
}
