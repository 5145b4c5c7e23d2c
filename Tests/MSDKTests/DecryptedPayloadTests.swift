import JSON
import Testing

@testable import MSDK

/// The short names by which applications know the types of messages.
@Suite struct DecryptedPayloadTests {
  static let names: [(type: String, name: String)] = [
    ("issue-credential/1.0/propose-credential", "credential-proposal"),
    ("issue-credential/2.0/propose-credential", "credential-proposal"),
    ("issue-credential/1.0/offer-credential", "credential-offer"),
    ("issue-credential/2.0/offer-credential", "credential-offer"),
    ("issue-credential/2.0/issue-credential", "credential"),
    ("issue-credential/2.0/request-credential", "aries"),
    ("issue-credential/2.0/problem-report", "problem-report"),
    ("present-proof/1.0/request-presentation", "presentation-request"),
    ("present-proof/2.0/propose-presentation", "propose-presentation"),
    ("present-proof/2.0/presentation", "presentation"), ("present-proof/1.0/problem-report", "problem-report"),
    ("committedanswer/1.0/question", "committed-question"), ("committedanswer/1.0/answer", "committed-answer"),
    ("questionanswer/1.0/question", "question"), ("questionanswer/1.0/answer", "answer"),
    ("invite-action/0.9/invite", "invite-action"), ("invite-action/0.9/problem-report", "problem-report"),
    ("trust_ping/1.0/ping", "ping"), ("trust_ping/1.0/ping_response", "ping_response"),
    ("discover-features/1.0/query", "query"), ("discover-features/1.0/disclose", "disclose"),
    ("out-of-band/1.1/handshake-reuse", "handshake-reuse"),
    ("out-of-band/1.1/handshake-reuse-accepted", "handshake-reuse-accepted"), ("basicmessage/1.0/message", "message"),
    ("connecting/0.6/ACCEPT_CONN_REQ", "connReqAnswer"), ("connecting/0.6/REDIRECT_CONN_REQ", "connReqRedirect"),
    ("connections/1.0/response", "aries"), ("notification/1.0/ack", "aries"),
    ("connections/1.0/problem-report", "aries"), ("x/1.0/message", "aries"),
  ]

  @Test func everyTypeHasItsName() throws {
    for (type, name) in Self.names {
      let message: JSON = ["@type": .string("https://didcomm.org/" + type), "@id": "1"]
      let payload = try DecryptedPayload(message.bytes)
      #expect(payload.name == name && payload.kind == type && payload.text == message.text)
      #expect(payload.json["@type"] == ["fmt": "json", "name": .string(name), "ver": "1.0"])
      #expect(payload.revocation == nil)
    }
    let strange = try DecryptedPayload(Array(#"{"@type":"x"}"#.utf8))
    #expect(strange.name == "aries" && strange.kind == "a message without a type")
    for text in ["[]", "{}", #"{"@type":1}"#] {
      #expect(throws: JSONError.self) { try DecryptedPayload(Array(text.utf8)) }
    }
  }

  @Test(arguments: ["1.0", "2.0"]) func aRevocationIsFound(version: String) throws {
    let message: JSON = [
      "@type": .string("https://didcomm.org/revocation_notification/\(version)/revoke"), "@id": "1",
      "thread_id": "t", "credential_id": "r::1",
    ]
    let payload = try DecryptedPayload(message.bytes)
    #expect(payload.name == "aries")
    guard case .revocation? = payload.revocation else {
      Issue.record("no revocation")
      return
    }
  }
}
