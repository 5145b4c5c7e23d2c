internal import AgencyWire

// Maps the types of the Cloud Agent's contract to an agency's messages, and back.

extension StoredMessage {
  init(_ message: WireMessage) {
    self.init(
      uid: message.uid, status: MessageStatus(wire: message.statusCode), senderDID: message.senderDID,
      type: message.type, payload: message.payload, envelope: message.envelope, refMsgID: message.refMsgID)
  }
}

extension ConnectionMessages {
  init(_ connection: WireConnectionMessages) {
    self.init(pairwiseDID: connection.pairwiseDID, messages: connection.messages.map(StoredMessage.init))
  }
}

extension MessageStatus {
  private static let codes: [(code: String, status: MessageStatus)] = [
    ("MS-101", .created), ("MS-102", .sent), ("MS-103", .received), ("MS-104", .accepted), ("MS-105", .rejected),
    ("MS-106", .reviewed), ("MS-107", .redirected),
  ]

  init(wire code: String) { self = Self.codes.first { $0.code == code }?.status ?? .other(code) }

  var wireCode: String {
    if case .other(let code) = self { return code }
    return Self.codes.first { $0.status == self }?.code ?? ""
  }
}

extension WireMessageFilter {
  init(_ filter: MessageFilter) {
    self.init(
      uids: filter.uids, statusCodes: filter.statuses.map(\.wireCode), excludesPayload: filter.excludesPayload,
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
