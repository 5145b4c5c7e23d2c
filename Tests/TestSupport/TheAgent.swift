package import Testing

/// A process has one agent: tests that start it, and tests that count on there being none, take turns.
package struct TheAgent: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Turns.shared.begin()
    do { try await function() } catch {
      await Turns.shared.end()
      throw error
    }
    await Turns.shared.end()
  }

  private actor Turns {
    static let shared = Turns()
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
      if isTaken { await withCheckedContinuation { waiting.append($0) } }
      isTaken = true
    }

    func end() {
      isTaken = !waiting.isEmpty
      if isTaken { waiting.removeFirst().resume() }
    }
  }
}

extension Trait where Self == TheAgent {
  package static var theAgent: Self { Self() }
}
