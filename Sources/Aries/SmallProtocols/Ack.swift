package import DIDComm
package import JSON

/// `ack` (RFC 0015), on its own or in another protocol's family.
package struct Ack: Equatable, Sendable {
  package static let type = MessageType("notification", 1, 0, "ack")
  package let id: String
  package let status: String
  package let thread: Thread

  package init(id: String, thread: Thread) {
    self.id = id
    status = "OK"
    self.thread = thread
  }

  /// Whether the peer acknowledges a failure.
  package var isFailure: Bool { status == "FAIL" }

  /// Whether the peer has not decided yet. Another ack follows (RFC 0015).
  package var isPending: Bool { status == "PENDING" }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    status = try object.optionalString("status") ?? "OK"
    thread = Thread(of: object)
  }

  /// The ack in the family of an exchange.
  func json(in dialect: Dialect) -> JSON {
    var json = json
    json["@type"] = .string(dialect.type("ack"))
    return json
  }

  package var json: JSON {
    ["@type": .string(Self.type.text), "@id": .string(id), "status": .string(status), "~thread": thread.json]
  }
}

extension ProblemReport {
  /// An ack of a failure takes the place of a report: the peer sends no other report.
  init(_ ack: Ack) {
    var json = ack.json
    json["status"] = .string(ack.status)
    self.init(thread: ack.thread, json: json)
  }
}
