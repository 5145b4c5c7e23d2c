package import DIDComm
package import JSON

/// A message that msdk knows, of a protocol between peers. It is parsed once, when it arrives.
package enum Message: Equatable, Sendable {
  case connectionRequest(ConnectionRequest)
  case connectionResponse(ConnectionResponse)
  case didExchangeRequest(DIDExchangeRequest)
  case didExchangeResponse(DIDExchangeResponse)
  case didExchangeComplete(DIDExchangeComplete)
  case handshakeReuse(HandshakeReuse)
  case ack(Ack)
  case ping(TrustPing)
  case pingResponse(TrustPingResponse)
  case basicMessage(BasicMessage)
  case problemReport(ProblemReport)
  case hangup(Hangup)
  case featureQuery(FeatureQuery)
  case featureQueries(FeatureQueries)
  case featureDisclosure(FeatureDisclosure)
  case issueCredential(IssueCredentialMessage)
  case presentProof(PresentProofMessage)
  case revocation(RevocationNotification)
  case proprietaryAnswer(ProprietaryAnswer)
  /// A message of another type, for the application.
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
    if let message = try IssueCredentialMessage(typed: object) {
      self = .issueCredential(message)
      return
    }
    if let message = try PresentProofMessage(typed: object) {
      self = .presentProof(message)
      return
    }
    switch (type.family, type.major, type.name) {
    case ("connections", 1, "request"): self = .connectionRequest(try ConnectionRequest(object))
    case ("connections", 1, "response"): self = .connectionResponse(try ConnectionResponse(object))
    case ("didexchange", 1, "request"): self = .didExchangeRequest(try DIDExchangeRequest(object))
    case ("didexchange", 1, "response"): self = .didExchangeResponse(try DIDExchangeResponse(object))
    case ("didexchange", 1, "complete"): self = .didExchangeComplete(DIDExchangeComplete(object))
    case ("out-of-band", 1, "handshake-reuse"):
      self = .handshakeReuse(try HandshakeReuse(object, minor: type.minor))
    case ("trust_ping", 1, "ping"): self = .ping(try TrustPing(object))
    case ("trust_ping", 1, "ping_response"): self = .pingResponse(TrustPingResponse(object))
    case ("basicmessage", 1, "message"): self = .basicMessage(try BasicMessage(object))
    case ("did-rotate", 1, "hangup"): self = .hangup(Hangup(object))
    case ("discover-features", 1, "query"): self = .featureQuery(try FeatureQuery(object))
    case ("discover-features", 1, "disclose"): self = .featureDisclosure(try FeatureDisclosure(object))
    case ("discover-features", 2, "queries"): self = .featureQueries(try FeatureQueries(object))
    case ("revocation_notification", 1...2, "revoke"), ("revocation_notification", 2, "unrevoke"):
      self = .revocation(try RevocationNotification(object))
    case (ProprietaryAnswer.family, 0, ProprietaryAnswer.acceptance):
      self = .proprietaryAnswer(try ProprietaryAnswer(accepting: object))
    case (ProprietaryAnswer.family, 0, ProprietaryAnswer.redirection):
      self = .proprietaryAnswer(try ProprietaryAnswer(redirecting: object))
    case (_, _, "ack"): self = .ack(try Ack(object))
    case (_, _, "problem-report"), (_, _, "problem_report"): self = .problemReport(ProblemReport(object))
    default: self = .other(type: text)
    }
  }
}

extension Message {
  /// Whether a connection can have a use for the message. All others are for the application.
  package func canConcern(_ connection: ConnectionMachine) -> Bool {
    switch self {
    case .basicMessage, .issueCredential, .presentProof, .other: return false
    case .proprietaryAnswer:
      guard case .proprietary = connection else { return false }
      return true
    case .connectionRequest, .connectionResponse, .didExchangeRequest, .didExchangeResponse, .didExchangeComplete,
      .handshakeReuse, .ack, .ping, .pingResponse, .problemReport, .hangup, .featureQuery, .featureQueries,
      .featureDisclosure, .revocation:
      return true
    }
  }

  /// The thread of messages that end or answer something.
  package var thread: Thread? {
    switch self {
    case .connectionResponse(let response): response.thread
    case .didExchangeResponse(let response): response.thread
    case .didExchangeComplete(let complete): complete.thread
    case .ack(let ack): ack.thread
    case .pingResponse(let response): response.thread
    case .problemReport(let report): report.thread
    case .featureDisclosure(let disclosure): disclosure.thread
    case .issueCredential(let message): message.thread
    case .presentProof(let message): message.thread
    case .connectionRequest, .didExchangeRequest, .handshakeReuse, .ping, .basicMessage, .hangup, .featureQuery,
      .featureQueries, .revocation, .proprietaryAnswer, .other:
      nil
    }
  }
}

/// The reasons why a text is not the message that its type names.
package enum MessageError: Error, Equatable, Sendable {
  case malformed(JSONError)
  case malformedDocument(DIDDocumentError)
  case malformedAttachment(AttachmentError)
  /// The message offers its content in unknown formats only.
  case unsupportedFormat
  /// The message attaches several objects where one is expected.
  case ambiguous
  /// A part of the message, by its name, exceeds its limit.
  case tooLarge(String)
  /// A message of another type than the expected one.
  case otherType(expected: String)
}

extension MessageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "malformed message: \(error)"
    case .malformedDocument(let error): "malformed message: \(error)"
    case .malformedAttachment(let error): "malformed message: \(error)"
    case .unsupportedFormat: "the message offers its content in no format that msdk knows (hlindy, anoncreds)"
    case .ambiguous: "the message attaches more than one object"
    case .tooLarge(let part): "malformed message: \(part) is too large"
    case .otherType(let expected): "the message is not \(expected)"
    }
  }
}
