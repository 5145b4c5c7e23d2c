import CloudAgent
import Foundation
import MSDK
import Testing

/// A Cloud Agent in the test's process, in place of the agency.
protocol StandInCloudAgent: CloudAgent {
  /// The URL that receives the messages of peers.
  var endpoint: String { get }
  /// The number of agents that pass the messages of peers on.
  var hops: Int { get }
}

/// The Cloud Agents with which the suites of connections and exchanges run.
enum CloudAgentKind: String, CaseIterable, Sendable {
  /// A real agency, which keeps the messages.
  case agency
  /// A server that passes messages on, as a mediator does. Its messages come again and again.
  case memory

  /// The kind for the worlds of the test that runs.
  @TaskLocal static var current = CloudAgentKind.agency

  /// The Cloud Agent of a world; nil for the one of the configuration.
  func made() throws -> (any StandInCloudAgent)? {
    switch self {
    case .agency: nil
    case .memory: try MemoryCloudAgent(.init(repeatsMessages: true, losesAcknowledgements: true))
    }
  }
}

/// Runs each test of a suite once with each kind of Cloud Agent; with the one that the variable MSDK_CLOUD_AGENT names, if
/// it is set.
struct EachCloudAgent: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let wanted = ProcessInfo.processInfo.environment["MSDK_CLOUD_AGENT"].flatMap(CloudAgentKind.init)
    for kind in wanted.map({ [$0] }) ?? CloudAgentKind.allCases {
      do { try await CloudAgentKind.$current.withValue(kind, operation: function) } catch {
        Issue.record(error, "with the Cloud Agent \(kind)")
      }
    }
  }
}

extension Trait where Self == EachCloudAgent {
  static var eachCloudAgent: Self { Self() }
}
