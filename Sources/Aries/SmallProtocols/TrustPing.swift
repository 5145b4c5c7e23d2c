package import DIDComm
package import JSON

/// `trust_ping/1.0/ping` (RFC 0048).
package struct TrustPing: Equatable, Sendable {
  package static let type = MessageType("trust_ping", 1, 0, "ping")
  package let id: String
  package let comment: String?
  package let responseRequested: Bool
  /// Written only if the ping belongs to a thread other than its own.
  package let thread: Thread

  package init(id: String, comment: String? = nil, responseRequested: Bool, thread: Thread? = nil) {
    self.id = id
    self.comment = comment
    self.responseRequested = responseRequested
    self.thread = thread ?? Thread(thid: id)
  }

  init(_ object: JSONObject) throws(JSONError) {
    id = try object.string("@id")
    comment = try object.optionalString("comment")
    responseRequested = try object.optionalBool("response_requested") ?? true
    thread = Thread(of: object)
  }

  package var json: JSON {
    var object: JSONObject = [
      "@type": .string(Self.type.text), "@id": .string(id), "response_requested": .bool(responseRequested),
    ]
    object["comment"] = comment.map(JSON.string)
    if thread != Thread(thid: id) { object["~thread"] = thread.json }
    return .object(object)
  }
}

/// `trust_ping/1.0/ping_response`.
package struct TrustPingResponse: Equatable, Sendable {
  package static let type = MessageType("trust_ping", 1, 0, "ping_response")
  package let id: String
  package let thread: Thread

  package init(id: String, to ping: TrustPing) {
    self.id = id
    thread = Thread(thid: ping.thread.thid, pthid: ping.thread.pthid)
  }

  init(_ object: JSONObject) {
    id = object["@id"]?.string ?? ""
    thread = Thread(of: object)
  }

  package var json: JSON { ["@type": .string(Self.type.text), "@id": .string(id), "~thread": thread.json] }
}
