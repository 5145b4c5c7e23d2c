import Aries
import JSON
import Testing

@testable import MSDK

/// Objects that libvcx serialized before it sent anything, as `"version": "3.0"`.
@Suite struct PendingExchangeTests {
  static let definition = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"

  private func serialized(_ data: JSON) -> String { (["version": "3.0", "data": data] as JSON).text }

  private func issuer(state: Int64 = 1) -> String {
    serialized([
      "source_id": "diploma", "state": .integer(state), "cred_def_id": .string(Self.definition),
      "credential_attributes": #"{"name":"Alice","age":"28"}"#, "credential_name": "degree", "rev_reg_id": nil,
      "tails_file": nil, "issuer_did": "V4SGRU86Z58d6TV7PBUe6f", "credential_offer": nil,
    ])
  }

  private func verifier(state: Int64 = 1) -> String {
    serialized([
      "source_id": "age check", "state": .integer(state), "requested_attrs": #"[{"name":"name"}]"#,
      "requested_predicates": #"[{"name":"age","p_type":">=","p_value":18}]"#, "name": "age", "nonce": "1",
      "revocation_interval": ["from": nil, "to": 1_700_000_000], "proof": nil,
    ])
  }

  private func holder(state: Int64 = 3) -> String {
    serialized([
      "source_id": "offered", "state": .integer(state), "credential_name": nil,
      "credential_offer": [
        "msg_type": "credential-offer", "version": "0.1", "to_did": "", "from_did": "", "schema_seq_no": 0,
        "credential_attrs": ["name": "Alice"], "claim_name": "degree", "claim_id": "", "msg_ref_id": nil,
        "cred_def_id": .string(Self.definition),
        "libindy_offer": .string(
          #"{"schema_id":"V4SGRU86Z58d6TV7PBUe6f:2:d:1.0","cred_def_id":"\#(Self.definition)"}"#),
      ],
    ])
  }

  private func prover(state: Int64 = 3) -> String {
    serialized([
      "source_id": "asked", "state": .integer(state), "proof": nil,
      "proof_request": [
        "@type": ["name": "PROOF_REQUEST", "version": "1.0"], "thread_id": "thread-1", "comment": nil,
        "proof_request_data": [
          "name": "age", "version": "1.0", "nonce": "1", "requested_attributes": ["a": ["name": "name"]],
          "requested_predicates": [:],
        ],
      ],
    ])
  }

  @Test func aCredentialThatWasNotOfferedIsPlanned() throws {
    let credential = try IssuerCredential(serialized: issuer())
    #expect(credential.sourceID == "diploma" && credential.state == 1)
    guard case .planned(let planned) = credential.machine.state else { throw StateError.proprietary }
    #expect(planned.definitionID == Self.definition && planned.name == "degree")
    #expect(try JSON(parsing: planned.terms.values.text)["age"] == "28")
  }

  /// A process that ends before its offer is noted as sent sends the same offer again.
  @Test func eachStartFromOneTextHasTheSameThread() throws {
    #expect(try IssuerCredential(serialized: issuer()).thread == IssuerCredential(serialized: issuer()).thread)
    #expect(try Credential(serialized: holder()).thread == Credential(serialized: holder()).thread)
  }

  @Test func aRequestThatWasNotSentIsRestored() throws {
    let proof = try RequestedProof(serialized: verifier())
    #expect(proof.sourceID == "age check" && proof.state == 1)
    guard case .initiated(let request) = proof.machine.state else { throw StateError.proprietary }
    let text = JSON.object(request).text
    #expect(text.contains(#""name":"age""#) && text.contains("1700000000"), "\(text)")
  }

  @Test func anOfferAndARequestThatWereNotAnsweredAreRestored() throws {
    let (credential, proof) = (try Credential(serialized: holder()), try DisclosedProof(serialized: prover()))
    #expect(credential.sourceID == "offered" && credential.state == 3)
    #expect(proof.sourceID == "asked" && proof.state == 3)
  }

  @Test func objectsOfLaterStatesAreProprietary() {
    #expect(throws: StateError.proprietary) { try IssuerCredential(serialized: issuer(state: 2)) }
    #expect(throws: StateError.proprietary) { try RequestedProof(serialized: verifier(state: 2)) }
    #expect(throws: StateError.proprietary) { try Credential(serialized: holder(state: 2)) }
    #expect(throws: StateError.proprietary) { try DisclosedProof(serialized: prover(state: 2)) }
  }

  @Test func aTextOfAnotherKindOfObjectIsMalformed() {
    #expect { try IssuerCredential(serialized: verifier()) } throws: {
      if case .malformed? = $0 as? StateError { true } else { false }
    }
    #expect { try RequestedProof(serialized: issuer()) } throws: {
      if case .malformed? = $0 as? StateError { true } else { false }
    }
  }
}
