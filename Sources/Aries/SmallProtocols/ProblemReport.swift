internal import DIDComm
package import JSON

/// A problem report (RFC 0035) of any family. Agents spell the name and the members in several ways; the received
/// JSON is kept.
package struct ProblemReport: Equatable, Sendable {
  package let thread: Thread
  package let json: JSON

  package init(_ object: JSONObject) {
    thread = Thread(of: object)
    json = .object(object)
  }

  /// A report in a connection's handshake (RFC 0160).
  package init(connection id: String, code: String, explanation: String, thread: Thread) {
    self.init(MessageType("connections", 1, 0, "problem_report"), id, code, explanation, thread)
  }

  /// A report in a DID exchange (RFC 0023).
  package init(
    didExchange version: DIDExchangeVersion, id: String, code: String, explanation: String, thread: Thread
  ) {
    self.init(MessageType("didexchange", 1, version.rawValue, "problem_report"), id, code, explanation, thread)
  }

  private init(_ type: MessageType, _ id: String, _ code: String, _ explanation: String, _ thread: Thread) {
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

  /// The code of the problem, in whichever member it stands.
  package var code: String? {
    json["description"]?["code"]?.string ?? json["problem-code"]?.string ?? json["description"]?.string
  }

  /// Whether the report is about making the connection, and not about something done over it.
  var isAboutHandshake: Bool {
    guard let type = json["@type"]?.string.flatMap(MessageType.init) else { return false }
    return type.family == "connections" || type.family == "didexchange"
  }
}
