import AnonCreds
import Aries
import DIDComm
import JSON
import Sodium
import TestSupport

@testable import MSDK

/// A session that verifies, and a prover with a credential at the other end of a connection, who does what the test tells
/// it.
final class VerifyingScene {
  let issuing: IssuingScene

  init() throws { issuing = try IssuingScene() }

  var session: MSDK.Session { get throws { try issuing.session } }
  var prover: ScriptedInviter { issuing.world.inviter }

  // MARK: The verifier

  static let attributes = #"""
    [{"name":"name","restrictions":[{"cred_def_id":"V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"}]},
     {"names":["degree","Issue Date"]},{"name":"phone"}]
    """#
  static let predicates = #"[{"name":"age","p_type":"GE","p_value":"18"}]"#

  func created(_ attributes: String = attributes, _ predicates: String = predicates) throws -> RequestedProof {
    try RequestedProof(
      sourceID: "check", attributes: attributes, predicates: predicates, interval: "{}", name: "Degree check")
  }

  func sent() throws -> RequestedProof {
    var proof = try created()
    try proof.send(over: issuing.world.completed(), with: session)
    return proof
  }

  // MARK: The prover

  /// The last request that came to the prover, and the proof request in it.
  func request() throws -> (message: JSON, content: JSON) {
    let message = try issuing.last()
    return (message, try JSON(parsing: Attachment(firstOf: message).content))
  }

  /// A presentation that reveals all attributes but the phone number, which the prover states.
  func content(for request: JSON) throws -> JSON {
    let attributes = (request["requested_attributes"]?.object ?? [:]).members
    let predicates = (request["requested_predicates"]?.object ?? [:]).members
    let stated = attributes.filter { $0.value["name"] == "phone" }.map(\.key)
    let items =
      attributes.map(\.key).filter { !stated.contains($0) }.map { PresentedItem($0, .revealed) }
      + predicates.map { PresentedItem($0.key, .predicate) }
    let secret = try TestIssuer.json("link_secret")["decimal"]?.string ?? ""
    let text = try issuing.issuer.engine.createPresentation(
      request: request.text,
      credentials: [PresentedCredential(credential: TestIssuer.text("credential_processed"), items: items)],
      selfAttested: Dictionary(uniqueKeysWithValues: stated.map { ($0, "555") }),
      linkSecret: SecretBytes(copying: Array(secret.utf8)),
      objects: PublicObjects(
        schemas: [TestIssuer.schemaID: TestIssuer.text("schema")],
        definitions: [TestIssuer.definitionID: TestIssuer.text("cred_def")]))
    return try JSON(parsing: text)
  }

  /// The message with a presentation, in the version of the request.
  static func presentation(_ content: String, to request: JSON, id: String = "presentation-1") -> JSON {
    let isFirst = request["formats"] == nil
    var message: JSON = [
      "@type": .string("https://didcomm.org/present-proof/\(isFirst ? "1" : "2").0/presentation"), "@id": .string(id),
      "~thread": ["thid": request["~thread"]?["thid"] ?? request["@id"] ?? ""],
      "presentations~attach": [IssuingScene.attachment(content, isFirst ? "libindy-presentation-0" : "indy")],
    ]
    if !isFirst { message["formats"] = [["attach_id": "indy", "format": "hlindy/proof@v2.0"]] }
    return message
  }

  /// Answers the last request, with a change if one is given. Returns the message.
  @discardableResult
  func answer(from sender: KeyPair? = nil, _ change: (inout JSON) -> Void = { _ in }) throws -> JSON {
    let request = try request()
    var content = try content(for: request.content)
    change(&content)
    let message = Self.presentation(content.text, to: request.message)
    try prover.send(message, from: sender)
    return message
  }

  /// Answers an invitation without a handshake, and names the prover's service.
  func post(_ message: JSON, answering connection: Connection) throws {
    guard let inviter = connection.invitation?.service else { throw ScriptedInviter.MissingRequest() }
    var message = message
    message["~service"] =
      Service(recipientKeys: [prover.pairwiseKey.verkey], endpoint: prover.server.endpoint).decorator
    _ = try session.post(inviter.pack(message.bytes, from: prover.pairwiseKey), to: inviter.endpoint)
  }

  func last() throws -> JSON { try issuing.last() }
}
