import Aries
import Credentials
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A holder's request, changed in each of its members. The issuer refuses the change with a problem report, or signs what
  /// it would have signed without the change.
  @Suite struct ChangedRequestTests {
    enum Result { case refused, unaffected }

    struct Change: Sendable, CustomTestStringConvertible {
      let path: String
      let value: JSON
      let result: Result

      init(_ path: String, _ value: JSON, _ result: Result = .refused) {
        (self.path, self.value, self.result) = (path, value, result)
      }

      var testDescription: String { "\(path) = \(value.text.prefix(40))" }
    }

    /// The numbers that the proof of the hidden link secret is about.
    private static let proven = [
      "blinded_ms/u", "blinded_ms_correctness_proof/c", "blinded_ms_correctness_proof/v_dash_cap",
      "blinded_ms_correctness_proof/m_caps/master_secret",
    ]
    private static let wrongNumbers: [JSON] = [
      "0", "1", "2", "-1", "", " 7", "x", 7, [:], nil, .string(String(repeating: "7", count: 20_000)),
      "115792089237316195423570985008687907853269984665640564039457584007913129639936",
    ]

    static let changes: [Change] =
      proven.flatMap { path in wrongNumbers.map { Change(path, $0) } } + [
        // The id of the definition.
        Change("cred_def_id", "V4SGRU86Z58d6TV7PBUe6f:3:CL:13:tag1"), Change("cred_def_id", ""),
        Change("cred_def_id", nil), Change("cred_def_id", "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag\u{ff11}"),
        // Hidden and committed attributes: a hidden one would add the holder's number to a signed value.
        Change("blinded_ms/hidden_attributes", []), Change("blinded_ms/hidden_attributes", ["name"]),
        Change("blinded_ms/hidden_attributes", ["master_secret", "name"]),
        Change("blinded_ms/hidden_attributes", ["master_secret", "master_secret"]),
        Change("blinded_ms/hidden_attributes", ["link_secret"]),
        Change("blinded_ms/hidden_attributes", "master_secret"),
        Change("blinded_ms/hidden_attributes", nil), Change("blinded_ms/committed_attributes", ["name": "1"]),
        Change("blinded_ms/committed_attributes", []), Change("blinded_ms_correctness_proof/r_caps", ["name": "1"]),
        Change("blinded_ms_correctness_proof/m_caps", [:]), Change("blinded_ms_correctness_proof/m_caps/name", "1"),
        Change("blinded_ms", nil), Change("blinded_ms", "1"), Change("blinded_ms", [:]),
        Change("blinded_ms_correctness_proof", nil), Change("blinded_ms_correctness_proof", [:]),
        // The nonce of the issuer's proof, which is not signed.
        Change("nonce", nil), Change("nonce", 7), Change("nonce", "x"), Change("nonce", "7", .unaffected),
        // The identity, which the issuer chooses anew.
        Change("prover_did", nil), Change("prover_did", 7), Change("prover_did", "V4SGRU86Z58d6TV7PBUe6f", .unaffected),
        Change("prover_did", "x", .unaffected), Change("entropy", "x", .unaffected),
        // Members that mean nothing.
        Change("values", ["name": "Mallory"], .unaffected), Change("schema_id", "x", .unaffected),
        Change("blinded_ms/x", "1", .unaffected), Change("rev_reg_id", "x", .unaffected),
        Change("blinded_ms/ur", nil, .unaffected),
      ]

    /// The versions of the protocol, with the formats that each has.
    @Test(arguments: [("1.0", "hlindy"), ("2.0", "hlindy"), ("2.0", "anoncreds")])
    func aChangeIsRefusedOrHasNoEffect(version: String, format: String) throws {
      let scene = try RegistrarScene(version: version)
      try scene.restart(with: ["issue_credential_version": .string(version), "anoncreds_format": .string(format)])
      let connection = try scene.world.completed()
      let planned = try scene.planned(revocable: false)
      for change in Self.changes {
        var credential = try planned.copy(with: .randomUUID())
        try credential.sendOffer(over: connection, with: scene.session)
        let metadata = try scene.request {
          $0.set(change.path.split(separator: "/").map(String.init)[...], change.value)
        }
        try credential.update(with: scene.session)
        #expect(credential.state == 3, "\(change.testDescription)")
        switch change.result {
        case .refused:
          #expect(throws: IssuingError.self, "\(change.testDescription)") {
            try credential.sendCredential(with: scene.session)
          }
          #expect(credential.state == 0, "\(change.testDescription)")
          #expect(
            try scene.last()["description"]?["code"] == "invalid-credential-request", "\(change.testDescription)")
        case .unaffected:
          try credential.sendCredential(with: scene.session)
          let held = try scene.lastCredential(checkedWith: change.path == "nonce" ? nil : metadata)
          #expect(held["values"]?["name"]?["raw"] == "Alice", "\(change.testDescription)")
        }
      }
      #expect(try scene.sent("issue-credential").count == Self.changes.count { $0.result == .unaffected })
    }
  }
}

extension IssuerCredential {
  /// The same plan in an exchange of its own.
  fileprivate func copy(with id: String) throws -> IssuerCredential {
    guard case .planned(let state) = machine.state else { throw ExchangeError.notReady }
    return IssuerCredential(
      sourceID: sourceID,
      machine: IssuerMachine(offering: state.terms, of: state.definitionID, name: state.name, id: id))
  }
}

extension RegistrarScene {
  /// The last credential, after its holder has checked the signature with the metadata of the unchanged request. Nil for a
  /// holder who has changed the nonce: the issuer's proof of its signature is about the nonce, and the signature is not.
  fileprivate func lastCredential(checkedWith metadata: String?) throws -> JSON {
    let content = try Attachment(firstOf: last()).content
    guard let metadata else { return try JSON(parsing: content) }
    let definition = try session.credentialIssuer().definition(Self.definitionID).text
    return try JSON(
      parsing: engine.process(
        credential: content, metadata: metadata, linkSecret: linkSecret, definition: definition, registry: nil))
  }
}

extension JSON {
  /// Sets the value at a path; nil removes it.
  fileprivate mutating func set(_ path: ArraySlice<String>, _ value: JSON) {
    guard let name = path.first else { return }
    guard path.count > 1 else { return self[name] = value.isNull ? nil : value }
    var member = self[name] ?? [:]
    member.set(path.dropFirst(), value)
    self[name] = member
  }
}
