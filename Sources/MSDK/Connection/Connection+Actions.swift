package import Aries
internal import CloudAgent
package import DIDComm
internal import JSON
internal import Sodium
internal import Time

extension Connection {
  /// Tells the author of a new out-of-band invitation that this connection serves the invitation too, whether or not it
  /// offers a handshake. The peer's agreement arrives in the mailbox and stays there for the application.
  package func sendReuse(for invitation: String, with session: Session) throws {
    let established = try requireEstablished("reusing a connection")
    let object = try JSON(parsing: invitation).requireObject()
    let type = try object.optionalString("@type").flatMap(MessageType.init)
    guard type?.matches(OutOfBandInvitation.type) ?? true else {
      throw JSONError.wrongType(key: "@type", expected: "the type of an out-of-band invitation")
    }
    // The member's name also distinguishes version 1.0 from 1.1, for agents that omit the type.
    let minor = object["service"] != nil ? 0 : type?.minor ?? 1
    let reuse = HandshakeReuse(id: .randomUUID(), invitation: try object.string("@id"), minor: minor)
    try send(reuse.json, to: established.peer.service, with: session)
  }

  /// Asks the peer for its protocols; without a query, for all of them. The answer arrives in the mailbox, and polling
  /// applies it.
  package func sendFeatureQuery(_ query: String?, comment: String?, with session: Session) throws {
    let established = try requireEstablished("asking for features")
    let message = FeatureQuery(id: .randomUUID(), query: query, comment: comment)
    try send(message.json, to: established.peer.service, with: session)
  }

  /// Answers a question of either protocol. Both texts are JSON: the question as it arrived, or its entry of a
  /// download, and the chosen response. Throws if the peer did not send the question, if the question does not offer
  /// the response, if its time has passed, or if this side has already signed another answer with its nonce. The same
  /// answer may be sent again.
  ///
  /// Without a handshake, an answer may be sent before `connect`, signed with the key that `connect` will use.
  package mutating func sendAnswer(to question: String, choosing choice: String, with session: Session) throws {
    let established = try requireEstablished("answering a question")
    let handed = try HandedMessage(parsing: question)
    let question = try StructuredQuestion(handed.json)
    try session.requireNotFromOthers(handed, over: self)
    if established.isConnectionless, pairwise?.mailbox == nil {
      // The answer shows the key. Without a mailbox, somebody else could register it at the Cloud Agent.
      if session.hasCloudAgent {
        _ = try openMailbox(ConnectionOptions(parsing: nil), for: invitationDigest, with: session)
      }
      try keepKey(with: session)
    }
    let time = Timestamp(seconds: systemClock())
    let response = try question.offered(Choice(JSON(parsing: choice)), at: time)
    let pair = try pair(with: session)
    if let nonce = response.nonce {
      try NonceBook(wallet: session.wallet).note(
        nonce, signing: question.signedBytes(of: response), for: question.statement(response), over: pairwiseDID)
    }
    let answer = question.answer(
      response, in: thread(answering: question.thread, over: established), id: .randomUUID(), at: time, by: pair)
    try send(answer, to: established.peer.service, with: session)
  }

  /// Asks the peer for an action. Returns the message that was sent.
  package func send(_ action: InviteAction, with session: Session) throws -> String {
    let established = try requireEstablished("inviting to act")
    let message = action.json(id: .randomUUID())
    try send(message, to: established.peer.service, with: session)
    return message.text
  }

  /// The thread of the first answer to a message of the peer, with the orders of RFC 0008: this side's first message,
  /// after one message of the peer.
  private func thread(answering received: Thread, over established: Completed) -> Thread {
    var thread = Thread(thid: received.thid, pthid: received.pthid ?? established.thread.pthid)
    thread.senderOrder = 0
    thread.receivedOrders = [established.peer.did: .integer(received.senderOrder ?? 0)]
    return thread
  }

  /// Returns the completed Aries connection. Throws an error that names `what` for another kind or state.
  func requireEstablished(_ what: String) throws(ConnectionError) -> Completed {
    switch machine {
    case .completed(let established): return established
    case .proprietary: throw .proprietary(what)
    case .planned, .invited, .requested, .offered, .responded, .failed: throw .notReady
    }
  }
}

// MARK: - Signatures

extension Connection {
  /// Signs with this side's pairwise key (Ed25519). Returns 64 bytes.
  package func sign(_ data: [UInt8], with session: Session) throws -> [UInt8] { try pair(with: session).sign(data) }

  /// Verifies a signature with the peer's key.
  package func verifies(_ signature: [UInt8], of data: [UInt8]) throws(ConnectionError) -> Bool {
    guard let peerKey else { throw .notReady }
    return peerKey.publicKey.verifies(signature, of: data)
  }

  /// Whether signatures of the peer can be verified.
  package var knowsPeerKey: Bool { peerKey != nil }

  /// The key of the peer; nil before the handshake has proven one.
  package var peerKey: VerKey? {
    if case .proprietary(let connection) = machine { return connection.theirVerkey }
    return peer?.key
  }

  private func pair(with session: Session) throws -> KeyPair {
    guard let key = pairwise?.key else { throw ConnectionError.noMailbox }
    guard let pair = try session.wallet.keyPair(for: key) else { throw CloudAgentError.missingKey(key) }
    return pair
  }
}
