internal import DIDComm
package import JSON

/// A problem report (RFC 0035) of any family. Agents spell the name and the members in several ways; the received
/// JSON is kept.
package struct ProblemReport: Equatable, Sendable {
  package let thread: Thread
  package let json: JSON

  package init(_ object: JSONObject) { self.init(thread: Thread(of: object), json: .object(object)) }

  init(thread: Thread, json: JSON) {
    self.thread = thread
    self.json = json
  }

  /// A report in a handshake: of RFC 0160 or RFC 0023.
  package init(in handshake: Handshake, id: String, code: String, explanation: String, thread: Thread) {
    let type =
      switch handshake {
      case .connections: MessageType("connections", 1, 0, "problem_report")
      case .didExchange(let version): MessageType("didexchange", 1, version.rawValue, "problem_report")
      }
    self.thread = thread
    json = [
      "@type": .string(type.text),
      "@id": .string(id),
      "~thread": thread.json,
      "problem-code": .string(code),
      "explain": .string(explanation),
      "description": ["code": .string(code), "en": .string(explanation)],
    ]
  }

  /// The answer to the reuse of an invitation that is unknown, or that another peer has used (RFC 0434).
  init(refusing reuse: HandshakeReuse, id: String) {
    thread = Thread(thid: reuse.thread.thid, pthid: reuse.thread.pthid)
    json = [
      "@type": .string(MessageType("out-of-band", 1, reuse.minor, "problem_report").text), "@id": .string(id),
      "~thread": thread.json,
      "description": [
        "code": "existing_connection_not_active",
        "en": "The invitation is unknown or used, so it cannot be reused on this connection.",
      ],
    ]
  }

  /// A report in an exchange. Some agents need a text beside the code. `comment` is for the user of the peer.
  init(in dialect: Dialect, id: String, code: String, explanation: String, comment: String?, thread: Thread) {
    self.thread = thread
    json = [
      "@type": .string(dialect.type("problem-report")), "@id": .string(id), "~thread": thread.json,
      "description": ["code": .string(code), "en": .string(explanation)],
      "comment": .string(comment ?? explanation),
    ]
  }

  /// The code of the problem, from any member that agents use for it.
  package var code: String? {
    json["description"]?["code"]?.string ?? json["problem-code"]?.string ?? json["description"]?.string
  }

  /// Whether the report is about the handshake, and not about a later exchange.
  var isAboutHandshake: Bool {
    guard let type = json["@type"]?.string.flatMap(MessageType.init) else { return false }
    return type.family == "connections" || type.family == "didexchange"
  }
}
