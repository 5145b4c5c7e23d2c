import Foundation
import IndyVDR
import JSON
import TestSupport
import Testing
import Threading

@testable import Registry

/// The objects of `Tests/Fixtures/anoncreds`.
enum Objects {
  static let issuer = "V4SGRU86Z58d6TV7PBUe6f"
  static let schemaID = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"
  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"
  static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default:CL_ACCUM:r1"

  static func json(_ name: String) throws -> JSON { try Fixtures.json("anoncreds/\(name).json") }

  static func object(_ kind: ObjectKind) throws -> JSON {
    switch kind {
    case .schema: try json("schema")
    case .definition: try json("cred_def")
    case .revocationRegistry: try json("rev_reg_def")
    }
  }

  static func id(_ kind: ObjectKind) -> String {
    switch kind {
    case .schema: schemaID
    case .definition: definitionID
    case .revocationRegistry: registryID
    }
  }

  /// All objects as the files of a `FolderRegistry`, by their paths.
  static func files() throws -> [String: JSON] {
    [
      "schema/V4SGRU86Z58d6TV7PBUe6f%3A2%3Adegree%3A1.0.json": try json("schema"),
      "cred_def/V4SGRU86Z58d6TV7PBUe6f%3A3%3ACL%3A12%3Adefault.json": try json("cred_def"),
      "rev_reg_def/\(percentEncoded(registryID)).json": try json("rev_reg_def"),
      "rev_status_list/\(percentEncoded(registryID)).json": try json("rev_status_lists"),
    ]
  }
}

/// A registry that answers as it is told, and counts.
final class StubRegistry: Registry {
  typealias Answer = @Sendable (_ id: String) throws(RegistryError) -> JSON
  typealias ListAnswer = @Sendable (_ time: Int64) throws(RegistryError) -> JSON
  private let state = Locked((object: nil as Answer?, list: nil as ListAnswer?, calls: 0))
  let isOpenToAll: Bool

  init(isOpenToAll: Bool = false, _ answer: Answer? = nil) {
    self.isOpenToAll = isOpenToAll
    state.withLock { $0.object = answer }
  }

  var calls: Int { state.withLock { $0.calls } }
  func answer(_ answer: @escaping Answer) { state.withLock { $0.object = answer } }
  func answerLists(_ answer: @escaping ListAnswer) { state.withLock { $0.list = answer } }

  func supports(_ id: String) -> Bool { true }
  func schema(_ id: String) throws(RegistryError) -> JSON { try object(id) }
  func definition(_ id: String) throws(RegistryError) -> JSON { try object(id) }
  func revocationRegistry(_ id: String) throws(RegistryError) -> JSON { try object(id) }

  func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON {
    let list = state.withLock { state in
      state.calls += 1
      return state.list
    }
    guard let list else { throw .notFound }
    return try list(time)
  }

  private func object(_ id: String) throws(RegistryError) -> JSON {
    let object = state.withLock { state in
      state.calls += 1
      return state.object
    }
    guard let object else { throw .notFound }
    return try object(id)
  }
}

/// A cache in memory.
final class StubCache: RegistryCache {
  private let kept = Locked<[ExactText: (text: String, time: Int64)]>([:])

  func find(_ kind: ObjectKind, _ id: String) -> String? { kept.withLock { $0[ExactText("\(kind) \(id)")]?.text } }

  /// The time that came with an object.
  func time(_ kind: ObjectKind, _ id: String) -> Int64? { kept.withLock { $0[ExactText("\(kind) \(id)")]?.time } }

  func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64) {
    kept.withLock { $0[ExactText("\(kind) \(id)")] = (text, time) }
  }
}

/// A clock that tests set.
final class StubClock: Sendable {
  private let seconds: Locked<Int64>

  init(_ seconds: Int64) { self.seconds = Locked(seconds) }

  var now: Int64 { seconds.withLock { $0 } }
  func advance(_ by: Int64) { seconds.withLock { $0 += by } }
}
