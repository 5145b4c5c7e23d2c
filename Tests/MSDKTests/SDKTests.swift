import MSDK
import Synchronization
import TestSupport
import Testing

/// Tests of an agent with a session. Each test has an agent of its own, so they run side by side.
@Suite(.ownAgent) struct SDKTests {}

extension Agent {
  /// The agent of the test that runs; the standard agent in a process of its own.
  @TaskLocal static var ofTest = Agent.standard
}

/// Gives each test an agent of its own, and ends the agent after the test.
struct OwnAgent: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true
  private static let last = Atomic<UInt32>(0)

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let agent = Agent(number: Self.last.add(1, ordering: .relaxed).newValue)
    defer { agent.close {} }
    try await Agent.$ofTest.withValue(agent, operation: function)
  }
}

extension Trait where Self == OwnAgent {
  static var ownAgent: Self { Self() }
}
