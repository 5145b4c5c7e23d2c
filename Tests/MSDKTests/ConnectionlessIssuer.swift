import Aries
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium
import TestSupport
import Threading

@testable import MSDK

/// An issuer that knows no connections: it answers a request in the response, or later at the service that the request
/// names.
final class ConnectionlessIssuer: Sendable {
  let server: HTTPServer
  let offer: JSON
  private let key: KeyPair
  private let messages: Locked<[(sender: VerKey, json: JSON)]>
  private let credential: @Sendable (_ request: JSON) throws -> JSON

  /// The id of the wallet's note about the mailbox for its answers.
  var note: String {
    AnswerMailboxes.name("offer-1", for: Service(recipientKeys: [key.verkey], endpoint: server.endpoint))
  }

  /// The messages that arrived, in their order.
  var received: [JSON] { messages.withLock { $0 }.map(\.json) }

  /// The keys that they came from.
  var senders: Set<VerKey> { Set(messages.withLock { $0 }.map(\.sender)) }

  init(_ issuer: TestIssuer, answersInResponse: Bool = true, refusesAck: Bool = false) throws {
    let (key, messages, content) = (KeyPair(), Locked<[(sender: VerKey, json: JSON)]>([]), try issuer.offer())
    let credential = { @Sendable (request: JSON) in
      let asked = try Attachment(firstOf: request).content
      return try IssuingScene.credential(issuer.credential(answering: asked, to: content))
    }
    (self.key, self.messages, self.credential) = (key, messages, credential)
    server = try HTTPServer { request in
      guard let opened = try? Envelope(parsing: request.body).open(with: key), let sender = opened.sender,
        let message = try? JSON(parsing: opened.message)
      else { return HTTPServer.Response(status: 400) }
      messages.withLock { $0.append((sender, message)) }
      if refusesAck, message["@type"]?.string?.hasSuffix("/ack") == true { return HTTPServer.Response(status: 500) }
      guard answersInResponse, let answer = try? credential(message),
        let body = try? Envelope.pack(answer.bytes, for: [sender], from: key)
      else { return HTTPServer.Response(status: 200) }
      return HTTPServer.Response(status: 200, body: body)
    }
    var offer = IssuingScene.offer(content)
    offer["~service"] = [
      "recipientKeys": [.string(key.verkey.text)], "routingKeys": [], "serviceEndpoint": .string(server.endpoint),
    ]
    self.offer = offer
  }

  /// Sends the credential, or `message`, to the service that the last request names. Throws if it is not taken.
  func answer(with message: JSON? = nil) throws {
    guard let request = received.last(where: { $0["requests~attach"] != nil }),
      let service = try IssueCredentialMessage(.request, request).replyService()
    else { throw ScriptedInviter.MissingRequest() }
    let envelope = try service.pack((message ?? credential(request)).bytes, from: key)
    let response = try HTTPClient().post(
      envelope, to: service.endpoint, contentType: "application/didcomm-envelope-enc")
    guard response.isSuccess else { throw DeliveryError.refused(status: response.status) }
  }
}
