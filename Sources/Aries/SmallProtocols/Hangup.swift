package import DIDComm
package import JSON

/// `did-rotate/1.0/hangup` (RFC 0794): the sender ends the connection. It expects no answer.
package struct Hangup: Equatable, Sendable {
  package static let type = MessageType("did-rotate", 1, 0, "hangup")
  package let thread: Thread
  package let json: JSON

  package init(id: String) {
    thread = Thread(thid: id)
    json = ["@type": .string(Self.type.text), "@id": .string(id)]
  }

  init(_ object: JSONObject) {
    thread = Thread(of: object)
    json = .object(object)
  }
}

extension ProblemReport {
  /// A hangup takes the place of a report: the peer sends no other message about the end.
  package init(_ hangup: Hangup) { self.init(thread: hangup.thread, json: hangup.json) }
}
