package import DIDComm
package import JSON

/// `out-of-band/1.x/handshake-reuse` (RFC 0434): the peer has an invitation and prefers to use this connection.
package struct HandshakeReuse: Equatable, Sendable {
  package static let type = MessageType("out-of-band", 1, 0, "handshake-reuse")
  package let id: String
  /// The thread. Its `pthid` is the invitation.
  package let thread: Thread
  /// The minor version of the protocol.
  package let minor: Int

  package init(id: String, invitation: String, minor: Int) {
    self.id = id
    thread = Thread(thid: id, pthid: invitation)
    self.minor = minor
  }

  init(_ object: JSONObject, minor: Int) throws(JSONError) {
    id = try object.string("@id")
    thread = Thread(of: object)
    self.minor = minor
  }

  package var json: JSON {
    ["@type": .string(Self.type.text(minor: minor)), "@id": .string(id), "~thread": thread.json]
  }
}

/// `handshake-reuse-accepted`, in the version of the question.
package struct HandshakeReuseAccepted: Equatable, Sendable {
  package static let type = MessageType("out-of-band", 1, 0, "handshake-reuse-accepted")
  package let id: String
  package let thread: Thread
  package let minor: Int

  package init(id: String, to reuse: HandshakeReuse) {
    self.id = id
    thread = Thread(thid: reuse.thread.thid, pthid: reuse.thread.pthid)
    minor = reuse.minor
  }

  package var json: JSON {
    ["@type": .string(Self.type.text(minor: minor)), "@id": .string(id), "~thread": thread.json]
  }
}
