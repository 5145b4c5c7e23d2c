package import DIDComm
package import JSON

/// The invitee's side of a connection (RFC 0160, connections/1.0). It decides; it does no I/O.
package struct InviteeMachine: Equatable, Sendable {
  package enum State: Equatable, Sendable {
    case invited(Invitation)
    case requested(ConnectionRequest, of: Invitation)
    case completed(Peer, thread: Thread, invitation: Invitation?)
    case failed(ProblemReport?, thread: Thread, invitation: Invitation?)
  }

  /// What the caller has to do. The new state counts once it is done.
  package enum Action: Equatable, Sendable {
    case send(JSON, to: Service)
    /// The message has had its effect, if any.
    case nothing
    /// The message is not for this machine: it stays for the application.
    case leave
  }

  package private(set) var state: State

  package init(invitation: Invitation) { state = .invited(invitation) }

  /// For a state that was stored.
  package init(restoring state: State) { self.state = state }

  /// Asks for the connection. `document` is that of the pairwise DID made for it; `requestID` is the same when the call
  /// is repeated after a failure to send, so that the inviter can tell a repetition from a second request. In later
  /// states there is nothing left to ask.
  package mutating func connect(label: String, document: DIDDocument, requestID: String) -> Action {
    guard case .invited(let invitation) = state else { return .nothing }
    let request = ConnectionRequest(id: requestID, label: label, document: document, pthid: invitation.id)
    state = .requested(request, of: invitation)
    return .send(request.json, to: invitation.service)
  }

  /// Takes a message in. `sender` is the key that the message provably came from; `replyID` is for the message that may
  /// have to be sent in answer.
  package mutating func receive(
    _ message: Message, from sender: Sender, replyID: String
  ) throws(ProtocolError) -> Action {
    switch (state, message) {
    case (.requested(let request, let invitation), .connectionResponse(let response)):
      return try complete(request, of: invitation, with: response, replyID: replyID)
    case (.requested(let request, let invitation), .problemReport(let report)):
      guard report.thread.thid == request.id else { throw .wrongThread }
      guard sender.isOne(of: invitation.service.recipientKeys) else { throw .notFromPeer }
      state = .failed(report, thread: request.thread, invitation: invitation)
      return .nothing
    case (.completed(_, let thread, _), .connectionResponse(let response)):
      return response.thread.thid == thread.thid ? .nothing : .leave
    case (.completed(let peer, _, _), .ping(let ping)):
      guard sender.isOne(of: peer.service.recipientKeys) else { throw .notFromPeer }
      guard ping.responseRequested else { return .nothing }
      return .send(TrustPingResponse(id: replyID, to: ping).json, to: peer.service)
    case (.completed(let peer, _, _), .pingResponse):
      guard sender.isOne(of: peer.service.recipientKeys) else { throw .notFromPeer }
      return .nothing
    case (.invited, _), (.requested, _), (.completed, _), (.failed, _):
      return .leave
    }
  }

  private mutating func complete(
    _ request: ConnectionRequest, of invitation: Invitation, with response: ConnectionResponse, replyID: String
  ) throws(ProtocolError) -> Action {
    guard response.thread.thid == request.id else { throw .wrongThread }
    let peer = try Peer(response, signedByOneOf: invitation.service.recipientKeys)
    state = .completed(peer, thread: request.thread, invitation: invitation)
    let thread = Thread(thid: request.id, pthid: invitation.id)
    let last =
      response.asksForAck
      ? Ack(id: replyID, thread: thread).json
      : TrustPing(id: replyID, responseRequested: false, thread: Thread(thid: replyID, pthid: request.id)).json
    return .send(last, to: peer.service)
  }
}

/// Where a message comes from, as far as that is proven.
package enum Sender: Equatable, Sendable {
  /// An envelope from the mailbox, and the key that it was encrypted from, if any.
  case envelope(VerKey?)
  /// The application handed the message over and answers for it.
  case application

  func isOne(of keys: [VerKey]) -> Bool {
    switch self {
    case .application: true
    case .envelope(let key): key.map(keys.contains) ?? false
    }
  }
}

/// The other side of a completed connection.
package struct Peer: Equatable, Sendable {
  package let document: DIDDocument

  package init(document: DIDDocument) { self.document = document }

  package var service: Service { document.service }

  /// The DID without `did:sov:`, which agents write or omit as they like.
  package var did: String { (try? DID(document.id).unqualified.text) ?? document.id }

  /// The inviter that a response introduces. Its signature must verify, by one of the keys that the invitation named.
  init(_ response: ConnectionResponse, signedByOneOf keys: [VerKey]) throws(ProtocolError) {
    let signature: SignatureDecorator
    do { signature = try SignatureDecorator(verifying: response.signature) } catch { throw .badSignature(error) }
    guard keys.contains(signature.signer) else { throw .wrongSigner }
    let connection: JSONObject
    do { connection = try signature.value().requireObject() } catch { throw .malformed(.malformed(error)) }
    do { document = try DIDDocument.exchanged(in: connection).document } catch { throw .malformed(error) }
  }
}
