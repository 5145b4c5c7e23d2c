import AnonCreds
import JSON

@testable import Credentials

extension FuzzTarget {
  /// Requests of this side, and presentations that answer them: `{"request", "presentation"}`, or one of the two. The
  /// engine accepts everything, so that each verdict is that of the checks before it.
  static let presentations = FuzzTarget("presentations") { input in
    guard let json = try? JSON(parsing: input) else { return }
    let text = String(decoding: input, as: UTF8.self)
    if let draft = try? ProofRequestDraft(attributes: text, predicates: "[]", interval: "{}", name: "n") {
      try checkRequest(draft.request)
    }
    if let object = json.object, let draft = try? ProofRequestDraft(proposed: object) {
      try checkRequest(draft.request)
    }
    let (request, presentation) = (json["request"] ?? sampleRequest, json["presentation"] ?? json)
    let verifier = PresentationVerifier(engine: CredulousEngine(), objects: SampleObjects()) { 1_700_002_000 }
    guard let verdict = try? verifier.verdict(on: presentation.text, for: request.text), verdict.isVerified else {
      return
    }
    try checkAnswers(presentation["requested_proof"] ?? .null, to: ProofRequest(parsing: request.text))
  }

  /// A request can be read, and verified against.
  private static func checkRequest(_ request: JSONObject) throws {
    let text = JSON.object(request).text
    try expect((try? ProofRequest(parsing: text)) != nil, "an own request cannot be read")
    try expect(JSON.object(request).withoutNulls == .object(request), "an own request has a null")
  }

  /// A verified presentation has one answer for each attribute and none besides; only free attributes are self-attested.
  private static func checkAnswers(_ proof: JSON, to request: ProofRequest) throws {
    let maps = ["revealed_attrs", "revealed_attr_groups", "self_attested_attrs", "unrevealed_attrs"]
    let given = maps.flatMap { proof[$0]?.object?.keys ?? [] }
    try expect(given.sorted() == request.attributes.map(\.referent).sorted(), "an attribute has not one answer")
    let predicates = proof["predicates"]?.object?.keys ?? []
    try expect(predicates.sorted() == request.predicates.map(\.referent).sorted(), "a predicate has not one answer")
    for attribute in request.attributes where !attribute.mayBeSelfAttested {
      try expect(proof["self_attested_attrs"]?[attribute.referent] == nil, "a restricted attribute is self-attested")
    }
  }

  private static let sampleRequest: JSON = [
    "nonce": "1", "name": "n", "version": "1.0",
    "requested_attributes": ["a": ["name": "name", "restrictions": [["schema_name": "degree"]]]],
    "requested_predicates": ["p": ["name": "age", "p_type": ">=", "p_value": 18]],
  ]

  private struct CredulousEngine: VerifierEngine {
    func verify(
      presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
    ) throws(AnonCredsError) -> Bool { true }
  }

  /// One object of each kind, under every id that names it.
  private struct SampleObjects: PublicObjectSource {
    func schema(_ id: String) throws -> String {
      #"{"name":"degree","version":"1.0","attrNames":["name","age"],"issuerId":"V4SGRU86Z58d6TV7PBUe6f"}"#
    }

    func definition(_ id: String) throws -> String {
      #"""
      {"schemaId":"V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0","type":"CL","tag":"tag1","issuerId":"V4SGRU86Z58d6TV7PBUe6f",
       "value":{"primary":{"r":{"name":"1","age":"1","master_secret":"1"}},"revocation":{}}}
      """#
    }

    func registry(_ id: String) throws -> String {
      #"""
      {"credDefId":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1",
       "value":{"maxCredNum":10,"tailsHash":"28TqxoKhwViybbebxMx2prTFpUQjcJRHmGirv7Cw1jpw","tailsLocation":"t"}}
      """#
    }

    func statusList(_ registryID: String, at time: Int64) throws -> String {
      let list: JSON = ["revRegDefId": .string(registryID), "timestamp": 1_700_001_000, "revocationList": [0, 0]]
      return list.text
    }
  }
}
