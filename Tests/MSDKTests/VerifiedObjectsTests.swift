import JSON
import Registry
import Testing
import Threading

@testable import MSDK

/// The public objects of one verdict.
@Suite struct VerifiedObjectsTests {
  private struct NoCache: RegistryCache {
    func find(_: ObjectKind, _: String) -> String? { nil }
    func keep(_: String, _: ObjectKind, _: String, at _: Int64) {}
  }

  /// A registry that is open to all, and answers each question with a schema.
  private final class Program: Sendable {
    private struct Place {
      /// The registry owns the closure that looks here.
      weak var registry: ProgramRegistry?
    }
    private let place = Locked(Place())

    func made() -> Registries {
      let program = ProgramRegistry { [self] question in
        guard let question = try? JSON(parsing: question), let number = question["request"]?.integer else { return }
        let schema: JSON = ["name": "s", "version": "1.0", "attrNames": ["a"], "issuerId": "did:cheqd:x:1"]
        try? place.withLock { $0.registry }?.take((["object": schema] as JSON).text, to: UInt32(number))
      }
      place.withLock { $0.registry = program }
      return Registries(cache: NoCache(), now: { 1_800_000_000 }, configured: { [program] })
    }
  }

  /// The objects that have come are remembered, so that a later attempt goes on.
  @Test func afterTheTimeAVerdictWaitsForAnotherAttempt() throws {
    let registries = Program().made()
    let id = "did:cheqd:x:1/resources/a"
    let late = VerifiedObjects(registries: registries, milliseconds: 0)
    #expect(throws: RegistryFailure(.schema, id, .unreachable("the objects of the presentation take too long"))) {
      while true { _ = try late.schema(id) }
    }
    #expect(try VerifiedObjects(registries: registries).schema(id).contains("\"s\""))
  }
}
