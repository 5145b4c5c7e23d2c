package import DIDComm
package import JSON

/// A message of an Aries protocol that msdk knows, read once at the edge.
package enum Message: Equatable, Sendable {
  case connectionRequest(ConnectionRequest)
  case connectionResponse(ConnectionResponse)
  case ack(Ack)
  case ping(TrustPing)
  case pingResponse(TrustPingResponse)
  case basicMessage(BasicMessage)
  case problemReport(ProblemReport)
  /// A message of another type; the application may know it.
  case other(type: String)

  /// Reads a message. Its type may have any prefix, and any minor version of a known major one.
  package init(_ json: JSON) throws(MessageError) {
    do { try self.init(json.requireObject()) } catch let error as MessageError { throw error } catch let error
      as JSONError
    {
      throw .malformed(error)
    } catch {
      throw .malformed(.wrongType(key: nil, expected: "a message"))
    }
  }

  private init(_ object: JSONObject) throws {
    let text = try object.string("@type")
    guard let type = MessageType(text) else {
      self = .other(type: text)
      return
    }
    switch (type.family, type.major, type.name) {
    case ("connections", 1, "request"): self = .connectionRequest(try ConnectionRequest(object))
    case ("connections", 1, "response"): self = .connectionResponse(try ConnectionResponse(object))
    case ("trust_ping", 1, "ping"): self = .ping(try TrustPing(object))
    case ("trust_ping", 1, "ping_response"): self = .pingResponse(TrustPingResponse(object))
    case ("basicmessage", 1, "message"): self = .basicMessage(try BasicMessage(object))
    case (_, _, "ack"): self = .ack(try Ack(object))
    case (_, _, "problem-report"), (_, _, "problem_report"): self = .problemReport(ProblemReport(object))
    default: self = .other(type: text)
    }
  }
}

/// Why a text is not the message that its type promises.
package enum MessageError: Error, Equatable, Sendable {
  case malformed(JSONError)
  case malformedDocument(DIDDocumentError)
}

extension MessageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "malformed message: \(error)"
    case .malformedDocument(let error): "malformed message: \(error)"
    }
  }
}

/// Why a protocol cannot go on as asked. The state stays as it was.
package enum ProtocolError: Error, Equatable, Sendable {
  /// The message belongs to another conversation.
  case wrongThread
  /// The message is not from the peer.
  case notFromPeer
  /// The message is signed by another key than those which the invitation named.
  case wrongSigner
  /// A signature does not count.
  case badSignature(SignatureError)
  /// The signed part of a message is not usable.
  case malformed(MessageError)
}

extension ProtocolError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .wrongThread: "the message belongs to another thread"
    case .notFromPeer: "the message is not from the peer of this connection"
    case .wrongSigner: "the message is not signed by a key of the invitation"
    case .badSignature(let error): "\(error)"
    case .malformed(let error): "\(error)"
    }
  }
}
