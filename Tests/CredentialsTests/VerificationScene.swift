import AnonCreds
import Foundation
import JSON
import TestSupport

@testable import Credentials

/// The presentations of `verify_cases.json`, their requests, and the public objects that they refer to.
struct VerificationScene {
  let file: JSON

  static let now: Int64 = 1_700_002_000
  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"
  static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1"
  static let schemaID = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"

  init() throws { file = try Vectors.json("verify_cases") }

  func request(_ base: String) -> JSON { file["bases"]?[base]?["request"] ?? .null }
  func presentation(_ base: String) -> JSON { file["bases"]?[base]?["presentation"] ?? .null }

  /// The objects of the file, with the status list that the presentations of it name.
  func objects() -> ListedObjects {
    let objects = file["objects"] ?? .null
    return ListedObjects(
      schemas: [Self.schemaID: objects["schema"], "V4SGRU86Z58d6TV7PBUe6f:2:passport:1.0": objects["other_schema"]]
        .compactMapValues(\.self),
      definitions: [Self.definitionID: objects["cred_def"] ?? .null],
      registries: [Self.registryID: objects["rev_reg_def"] ?? .null],
      statusLists: file["bases"]?["revoked"]?["status_lists"]?.array ?? [])
  }

  func verdict(
    on presentation: JSON, for request: JSON, by engine: (any VerifierEngine)? = nil, _ objects: ListedObjects? = nil
  ) throws -> Verdict {
    let engine = try engine ?? Engine.open(at: CredentialLibraries.anonCreds)
    let verifier = PresentationVerifier(engine: engine, objects: objects ?? self.objects()) { Self.now }
    return try verifier.verdict(on: presentation.text, for: request.text)
  }

  /// The verdict after a change of the presentation.
  func altered(
    _ base: String, by engine: (any VerifierEngine)? = nil, _ alter: (inout JSON) -> Void
  ) throws -> Verdict {
    try verdict(base, by: engine, presentation: alter)
  }

  /// The verdict after changes of both texts.
  func verdict(
    _ base: String, by engine: (any VerifierEngine)? = nil, request change: (inout JSON) -> Void = { _ in },
    presentation alter: (inout JSON) -> Void = { _ in }
  ) throws -> Verdict {
    var (request, presentation) = (request(base), presentation(base))
    change(&request)
    alter(&presentation)
    return try verdict(on: presentation, for: request, by: engine)
  }
}

/// Public objects without a registry. An object that is missing does not exist.
struct ListedObjects: PublicObjectSource {
  var schemas: [String: JSON]
  var definitions: [String: JSON]
  var registries: [String: JSON]
  /// The oldest first.
  var statusLists: [JSON]
  /// The one form in which the source knows an id.
  var form: @Sendable (String) -> String = { $0 }

  func canonical(_ id: String) -> String { form(id) }

  func schema(_ id: String) throws -> String { try text(schemas[id]) }
  func definition(_ id: String) throws -> String { try text(definitions[id]) }
  func registry(_ id: String) throws -> String { try text(registries[id]) }

  func statusList(_ registryID: String, at time: Int64) throws -> String {
    try text(
      statusLists.last { $0["revRegDefId"]?.string == registryID && ($0["timestamp"]?.integer ?? .max) <= time })
  }

  private func text(_ object: JSON?) throws -> String {
    guard let object else { throw CredentialsError.absentObject }
    return object.text
  }
}

/// An engine that finds every proof good, for the checks that do not depend on one.
struct CredulousEngine: VerifierEngine {
  func verify(
    presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
  ) throws(AnonCredsError) -> Bool { true }
}

extension JSON {
  /// Sets the value at a path of names and indices: `/requested_proof/revealed_attrs/a`; nil removes it.
  mutating func set(_ path: String, to value: JSON?) {
    set(path.split(separator: "/").map(String.init)[...], to: value)
  }

  private mutating func set(_ path: ArraySlice<String>, to value: JSON?) {
    guard let name = path.first else {
      self = value ?? .null
      return
    }
    if var array, let index = Int(name) {
      if path.count == 1, value == nil {
        array.remove(at: index)
      } else {
        array[index].set(path.dropFirst(), to: value)
      }
      self = .array(array)
    } else if path.count == 1 {
      self[name] = value
    } else {
      var member = self[name] ?? .object([:])
      member.set(path.dropFirst(), to: value)
      self[name] = member
    }
  }
}
