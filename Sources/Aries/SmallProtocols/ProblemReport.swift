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
    self.thread = thread
    json = [
      "@type": .string(MessageType("connections", 1, 0, "problem_report").text),
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
}
