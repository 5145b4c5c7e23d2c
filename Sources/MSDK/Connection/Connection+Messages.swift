internal import Aries
internal import DIDComm
internal import JSON
internal import Sodium

extension Connection {
  /// Sends a trust ping that asks for an answer; the answer arrives in the mailbox.
  package func sendPing(comment: String?, with session: Session) throws {
    let established = try requireEstablished("sending a ping")
    let ping = TrustPing(id: .randomUUID(), comment: comment, responseRequested: true)
    try send(ping.json, to: established.peer.service, with: session)
  }

  /// Sends a message: JSON as it is, other text as a basic message. After the request, the invitation's endpoint
  /// receives messages; before the request, there is no key to send from. Over a proprietary connection any text is
  /// sent unchanged, as a message of the kind that `options` name. Returns the id of such a message, and otherwise an
  /// empty text.
  @discardableResult
  package func send(_ text: String, options: String = "{}", with session: Session) throws -> String {
    if case .proprietary(let connection) = machine {
      return try send(text, options: options, over: connection, with: session)
    }
    guard let service = reachable else { throw ConnectionError.notReady }
    let json = (try? JSON(parsing: text)).flatMap { $0.object.map(JSON.object) }
    try send(json ?? BasicMessage(id: .randomUUID(), content: text).json, to: service, with: session)
    return ""
  }

  /// The service that receives messages: the peer's, or, before the peer's answer, the service that received the
  /// request. Nil after the end of the connection, which still knows its peer.
  private var reachable: Service? {
    switch machine {
    case .requested(let machine): machine.inviter
    case .failed: nil
    case .planned, .invited, .offered, .responded, .completed, .proprietary: peer?.service
    }
  }

  /// Without a handshake, each message names this side's address for the answer (RFC 0056). Without such an address,
  /// the message is anonymous.
  func send(_ message: JSON, to service: Service, with session: Session) throws {
    guard case .completed(let machine) = machine, machine.isConnectionless else {
      guard let key = pairwise?.key else { throw ConnectionError.noMailbox }
      return try session.send(message, from: key, to: service)
    }
    var message = message
    if let own = try ownSide(with: session), message["~service"] == nil { message["~service"] = own.service.decorator }
    try session.send(message, from: pairwise?.key, to: service)
  }
}
