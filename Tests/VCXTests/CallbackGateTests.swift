import Glibc
import Testing
import Threading

@testable import VCX

@Suite struct CallbackGateTests {
  private let gate = CallbackGate()

  @Test func anOpenGateLetsThrough() {
    #expect(gate.pass { 5 } == 5)
    #expect(gate.pass { gate.pass { 6 } } == 6)
  }

  @Test func nothingPassesAClosedGate() {
    #expect(gate.close(milliseconds: 0))
    #expect(gate.pass { 5 } == nil)
    #expect(gate.close(milliseconds: 0))
  }

  @Test func closingWaitsForRunningOperations() async {
    let (isInside, mayLeave, hasLeft) = (Monitor(false), Monitor(false), Locked(false))
    let gate = gate
    Threads.shared.post {
      _ = gate.pass {
        isInside.withLock { $0 = true }
        mayLeave.wait { $0 ? () : nil }
        hasLeft.withLock { $0 = true }
      }
    }
    isInside.wait { $0 ? () : nil }
    #expect(!gate.close(milliseconds: 1))
    #expect(gate.pass { 5 } == nil)
    #expect(!gate.close(milliseconds: 1), "a refused callback ends no wait")
    mayLeave.withLock { $0 = true }
    #expect(gate.close(milliseconds: 60_000))
    #expect(hasLeft.withLock { $0 })
  }
}
