internal import AgencyWire

// Maps the types of the Cloud Agent's contract to an agency's messages, and back.

extension StoredMessage {
  init(_ message: WireMessage) {
    self.init(
      uid: message.uid, status: MessageStatus(code: message.statusCode), senderDID: message.senderDID,
      type: message.type, payload: message.payload, envelope: message.envelope, refMsgID: message.refMsgID)
  }
}

extension ConnectionMessages {
  init(_ connection: WireConnectionMessages) {
    self.init(pairwiseDID: connection.pairwiseDID, messages: connection.messages.map(StoredMessage.init))
  }
}

extension WireMessageFilter {
  init(_ filter: MessageFilter) {
    self.init(
      uids: filter.uids, statusCodes: filter.statuses.map(\.code), excludesPayload: filter.excludesPayload,
      afterUID: filter.after)
  }
}

extension WireConnectionUIDs {
  init(_ connection: ConnectionUIDs) { self.init(pairwiseDID: connection.pairwiseDID, uids: connection.uids) }
}

extension WireComMethod {
  init(_ method: ComMethod) {
    let kind: Kind =
      switch method.kind {
      case .push: .push
      case .webhook: .webhook
      case .sponsor: .sponsor
      case .sponsorPush: .sponsorPush
      }
    self.init(id: method.id, kind: kind, value: method.value)
  }
}

extension Refusal {
  /// Returns nil for a body without a reason.
  package init?(body: [UInt8]) {
    guard let refusal = WireRefusal(body: body) else { return nil }
    self.init(statusCode: refusal.statusCode, statusMessage: refusal.statusMessage, traceID: refusal.traceID)
  }
}
