import Foundation
import JSON
import TestSupport
import Testing

@testable import WebVH

/// Changed logs and resources beside the verdicts of the method's library for Python, which has made them
/// (`tools/peers/webvh_mutations.py`).
@Suite struct MutationTests {
  private let cases: JSON

  init() throws { cases = try Fixtures.json("webvh/mutations.json") }

  /// The reason for which a changed log is refused; nil if it is accepted.
  private func refusal(_ change: JSON) throws -> (any Error)? {
    let name = try #require(change["log"]?.string)
    let log = try #require(cases["logs"]?[name])
    let kept = (log["lines"]?.array ?? []).prefix(Int(change["kept"]?.integer ?? 0))
    let lines = (kept + (change["lines"]?.array ?? [])).map { ($0.string ?? "") + "\n" }
    do {
      let proofs = log["witness"].flatMap { $0.isNull ? nil : $0.bytes }
      let verified = try verified(Array(lines.joined().utf8), witnesses: proofs)
      try verified.require(try #require(log["did"]?.string.flatMap(WebVHDID.init)))
      return nil
    } catch {
      return error
    }
  }

  @Test func noChangedLogIsAcceptedThatTheOtherLibraryRefuses() throws {
    let changes = cases["changes"]?.array ?? []
    #expect(changes.count > 200)
    var stricter: [String] = []
    for change in changes {
      let refusal = try refusal(change)
      if change["accepted"] == true {
        if let refusal { stricter.append("\(refusal)") }
      } else if refusal == nil {
        Issue.record("accepted: \(change.text)")
      }
    }
    // The rules of the specification that the other library does not have.
    #expect(Set(stricter) == [])
  }

  @Test func theLogsOfTheOtherLibraryAreValid() throws {
    for change in cases["changes"]?.array ?? [] where change["kind"] == "none" {
      #expect(try refusal(change) == nil)
      #expect(change["accepted"] == true)
    }
  }

  @Test func noChangedResourceIsAcceptedThatTheOtherLibraryRefuses() throws {
    let log = try verified(Array(try #require(cases["issuer"]?.string).utf8))
    let id = try #require(cases["id"]?.string.flatMap(ResourceID.init))
    var (accepted, refused) = (0, 0)
    for change in cases["resources"]?.array ?? [] {
      let resource = try? AttestedResource(
        (change["resource"] ?? .null).bytes, id: id, type: "anonCredsSchema", of: log, limits: .standard, now: now)
      #expect((resource != nil) == (change["accepted"] == true), "\(change.text)")
      if resource == nil { refused += 1 } else { accepted += 1 }
    }
    #expect(accepted > 5 && refused > 30)
  }
}
