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

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.optionalString("@id") ?? ""
    status = try object.optionalString("status") ?? "OK"
    thread = Thread(of: object)
  }

  package var json: JSON {
    ["@type": .string(Self.type.text), "@id": .string(id), "status": .string(status), "~thread": thread.json]
  }
}
