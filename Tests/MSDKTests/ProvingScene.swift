import Aries
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Threading

@testable import MSDK

/// A holder with a credential, and a verifier at the other end of a connection, who does what the test tells it.
final class ProvingScene {
  let issuing: IssuingScene
  let connection: Connection

  /// The credential has a place in the registry where `index` is given.
  init(at index: Int64? = TestIssuer.place) throws {
    issuing = try IssuingScene()
    _ = try issuing.issued(at: index)
    connection = try issuing.world.completed()
  }

  var session: MSDK.Session { get throws { try issuing.session } }
  var verifier: ScriptedInviter { issuing.world.inviter }

  // MARK: The verifier

  static func content() throws -> JSON { try TestIssuer.json("proof_request") }

  static func request(_ content: JSON, version: Int = 2, id: String = "request-1") -> JSON {
    var message: JSON = [
      "@type": .string("https://didcomm.org/present-proof/\(version).0/request-presentation"), "@id": .string(id),
      "comment": "please",
      "request_presentations~attach": [
        IssuingScene.attachment(content.text, version == 1 ? "libindy-request-presentation-0" : "indy")
      ],
    ]
    if version == 2 { message["formats"] = [["attach_id": "indy", "format": "hlindy/proof-req@v2.0"]] }
    return message
  }

  func ack(_ thread: String = "request-1", status: String = "OK") throws {
    try verifier.send([
      "@type": "https://didcomm.org/present-proof/2.0/ack", "@id": "ack", "status": .string(status),
      "~thread": ["thid": .string(thread)],
    ])
  }

  func report(_ thread: String = "request-1") throws {
    try verifier.send([
      "@type": "https://didcomm.org/present-proof/2.0/problem-report", "@id": "report",
      "~thread": ["thid": .string(thread)], "description": ["code": "abandoned", "en": "no"],
    ])
  }

  func last() throws -> JSON { try issuing.last() }

  /// Whether the last message of the holder proves what was requested.
  func isVerified(_ content: JSON, listsUntil time: Int64 = .max) throws -> Bool {
    try issuing.issuer.verifies(Attachment(firstOf: last()).content, of: content.text, listsUntil: time)
  }

  // MARK: The holder

  func requested(_ content: JSON? = nil, version: Int = 2) throws -> DisclosedProof {
    let request = Self.request(try content ?? Self.content(), version: version)
    return try DisclosedProof(sourceID: "proof", request: request.text)
  }

  /// For each item the first credential that fits.
  func firstChoice(for proof: DisclosedProof) throws -> String {
    let found = try JSON(parsing: proof.matchingCredentials(asVersion3: true, with: session))
    let choices = (found["attrs"]?.object?.members ?? []).compactMap { referent, credentials -> (String, JSON)? in
      credentials.array?.first.map { (referent, ["credential": $0]) }
    }
    let selected: JSON = ["attrs": .object(JSONObject(choices))]
    return selected.text
  }

  func prepared(_ content: JSON? = nil, version: Int = 2, selfAttested: String = #"{"attribute_1":"123"}"#) throws
    -> DisclosedProof
  {
    var proof = try requested(content, version: version)
    try proof.prepare(showing: firstChoice(for: proof), selfAttested: selfAttested, with: session)
    return proof
  }

  func sent() throws -> DisclosedProof {
    var proof = try prepared()
    try proof.send(over: connection, with: session)
    return proof
  }
}

/// A verifier that knows no connections, and answers a presentation in the response or not at all.
final class ConnectionlessVerifier: Sendable {
  let server: HTTPServer
  let key: KeyPair
  private let messages: Locked<[JSON]>

  var received: [JSON] { messages.withLock { $0 } }

  init(answering answer: JSON?) throws {
    let (key, messages) = (KeyPair(), Locked<[JSON]>([]))
    self.key = key
    self.messages = messages
    server = try HTTPServer { request in
      guard let opened = try? Envelope(parsing: request.body).open(with: key), let sender = opened.sender,
        let message = try? JSON(parsing: opened.message)
      else { return HTTPServer.Response(status: 400) }
      messages.withLock { $0.append(message) }
      guard let answer, let body = try? Envelope.pack(answer.bytes, for: [sender], from: key)
      else { return HTTPServer.Response(status: 202) }
      return HTTPServer.Response(status: 200, body: body)
    }
  }

  func request() throws -> JSON {
    var request = ProvingScene.request(try ProvingScene.content())
    request["~service"] = service
    return request
  }

  /// The holder's side of an invitation without a handshake, before `connect`.
  func invited() throws -> Connection {
    var inline = service
    inline["id"] = "#inline"
    inline["type"] = "did-communication"
    let attached: JSON = try ["@id": "request-0", "mime-type": "application/json", "data": ["json": request()]]
    let invitation: JSON = [
      "@type": "https://didcomm.org/out-of-band/1.0/invitation", "@id": "invitation-1", "label": "Verifier",
      "request~attach": [attached], "service": [inline],
    ]
    return try Connection(sourceID: "verifier", outOfBandInvitation: invitation.text)
  }

  private var service: JSON {
    ["recipientKeys": [.string(key.verkey.text)], "routingKeys": [], "serviceEndpoint": .string(server.endpoint)]
  }
}
