import Glibc
import JSON
import Testing
import Threading

@testable import IndyVDR

/// The answers and errors of a library that this test plays.
@Suite(.serialized) struct LibraryTests {
  private enum Network {
    /// The library's last error, as JSON.
    static let error = Locked("")
    /// The code that `submit` returns at once, and the one that the answer has.
    static let codes = Locked<(call: Int64, answer: Int64)>((0, 0))
    static let answer = Locked("")
    static let closed = Locked(0)
  }

  private let library: LedgerLibrary

  init() {
    Network.error.withLock { $0 = "" }
    Network.codes.withLock { $0 = (0, 0) }
    Network.closed.withLock { $0 = 0 }
    library = LedgerLibrary(
      functions: .stub(
        currentError: { text in
          text.pointee = strdup(Network.error.withLock { $0 })
          return 0
        },
        closePool: { _ in
          Network.closed.withLock { $0 += 1 }
          return 0
        },
        submit: { _, _, reply, number in
          let codes = Network.codes.withLock { $0 }
          if codes.call == 0 { reply(number, codes.answer, strdup(Network.answer.withLock { $0 })) }
          return codes.call
        }))
  }

  private func submit() throws -> JSON {
    try LedgerPool(Genesis(PoolTests.node.text), library: library).submit(.transaction(1))
  }

  // MARK: Errors

  /// A caller tries again later, changes the transaction, or gives up.
  @Test(
    arguments: [
      (2, nil, .unreachable("m")), (6, nil, .unreachable("m")), (30, nil, .unreachable("m")),
      (32, nil, .unreachable("m")), (1, nil, .refused("m")), (5, nil, .refused("m")), (31, nil, .refused("m")),
      (31, #"{"op":"REJECT"}"#, .rejected("m")), (31, #"{"op":"REQNACK"}"#, .refused("m")),
      (31, "no JSON", .refused("m")), (1, #"{"op":"REJECT"}"#, .refused("m")),
    ] as [(Int64, String?, LedgerError)])
  func aCodeHasItsMeaning(code: Int64, extra: String?, expected: LedgerError) throws {
    var error: JSON = ["message": "m"]
    error["extra"] = extra.map(JSON.string)
    Network.error.withLock { [error] in $0 = error.text }
    Network.codes.withLock { $0 = (0, code) }
    #expect(throws: expected) { try submit() }
    Network.codes.withLock { $0 = (code, 0) }
    #expect(throws: expected) { try submit() }
  }

  @Test(arguments: [
    (#"{"extra":"e"}"#, "e"), ("{}", "error 1"), ("no JSON", "error 1"), (#"{"message":1}"#, "error 1"),
  ])
  func anErrorMayLackItsMessage(error: String, reason: String) {
    Network.error.withLock { $0 = error }
    #expect(library.lastError(1) == .refused(reason))
  }

  // MARK: Answers

  @Test(arguments: ["", "{}", "no JSON", "[1]"]) func anAnswerHasAResult(answer: String) {
    Network.answer.withLock { $0 = answer }
    #expect(throws: LedgerError.refused("the reply is none: \(answer)")) { try submit() }
  }

  @Test func aLongAnswerWithoutAResultIsCut() {
    Network.answer.withLock { $0 = String(repeating: "x", count: 201) }
    #expect(throws: LedgerError.refused("the reply is none: \(String(repeating: "x", count: 200))")) { try submit() }
  }

  /// The state of a registry names each of its revoked places.
  @Test func anAnswerMayHaveManyNumbers() throws {
    let numbers = JSON.array([JSON](repeating: 7, count: 200_000))
    Network.answer.withLock { $0 = JSON.object(["result": numbers]).text }
    #expect(try submit() == numbers)
  }

  @Test func aNetworkIsLeftWithThePool() throws {
    Network.answer.withLock { $0 = #"{"result":1}"# }
    let pool = try LedgerPool(Genesis(PoolTests.node.text), library: library)
    try withExtendedLifetime(pool) {
      _ = try pool.submit(.transaction(1))
      #expect(Network.closed.withLock { $0 } == 0)
    }
    _ = try submit()
    #expect(Network.closed.withLock { $0 } == 1)
  }

  @Test func anAnswerMayTakeItsTime() throws {
    let answer = try Replies.wait(for: library, seconds: 30) { (number) throws(LedgerError) in
      Threads.shared.post {
        usleep(60_000)
        Replies.deliver(number, 0, strdup("late"))
      }
    }
    #expect(answer == "late")
  }

  @Test func anAnswerThatComesTooLateIsForNobody() throws {
    let numbers = Locked<[Int64]>([])
    #expect(throws: LedgerError.unreachable("no answer in 0 ms")) {
      try Replies.wait(for: library, seconds: 0) { (number) throws(LedgerError) in
        numbers.withLock { $0.append(number) }
      }
    }
    let late = try #require(numbers.withLock { $0.first })
    Replies.deliver(late, 0, strdup("late"))
    let answer = try Replies.wait(for: library, seconds: 30) { (number) throws(LedgerError) in
      #expect(number != late)
      Replies.deliver(number, 0, strdup("own"))
    }
    #expect(answer == "own")
  }
}
