import Glibc
import Testing

@testable import Threading

@Suite struct SharedAttemptTests {
  private struct Failed: Error, Equatable { let number: Int }

  /// All threads come before the end of the attempt, which waits for them.
  @Test(arguments: [true, false]) func threadsThatComeMeanwhileShareTheResult(succeeds: Bool) {
    let attempt = SharedAttempt<Int, Failed>()
    let (begun, arrived) = (Locked(0), Monitor(0))
    let (results, threads) = (Monitor<[Result<Int, Failed>]>([]), Threads(limit: 4))
    for _ in 0..<4 {
      threads.post {
        arrived.withLock { $0 += 1 }
        let result = Result { () throws(Failed) in
          try attempt.result { () throws(Failed) in
            let number = begun.withLock { begun in
              begun += 1
              return begun
            }
            arrived.wait { $0 == 4 ? () : nil }
            usleep(50_000)
            guard succeeds else { throw Failed(number: number) }
            return number
          }
        }
        results.withLock { $0.append(result) }
      }
    }
    let expected: Result<Int, Failed> = succeeds ? .success(1) : .failure(Failed(number: 1))
    #expect(results.wait { $0.count == 4 ? $0 : nil } == Array(repeating: expected, count: 4))
  }

  @Test func aLaterThreadBeginsAnotherAttempt() throws {
    let attempt = SharedAttempt<Int, Failed>()
    #expect(throws: Failed(number: 1)) { try attempt.result { () throws(Failed) in throw Failed(number: 1) } }
    #expect(try attempt.result { () throws(Failed) in 2 } == 2)
  }
}
