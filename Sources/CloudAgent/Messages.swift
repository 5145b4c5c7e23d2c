package import JSON

/// A message as the Cloud Agent stores it.
package struct StoredMessage: Equatable, Sendable {
  package let uid: String
  package let status: MessageStatus
  /// Empty if an outside agent sent it.
  package let senderDID: String
  package let type: String
  /// The packed message from the Cloud Agent. Nil if the request excluded it.
  package let payload: JSON?
  /// The packed message as an object. Nil if the payload is not an object.
  package let envelope: JSON?
  package let refMsgID: String?

  package init(
    uid: String, status: MessageStatus, senderDID: String, type: String, payload: JSON?, envelope: JSON?,
    refMsgID: String?
  ) {
    self.uid = uid
    self.status = status
    self.senderDID = senderDID
    self.type = type
    self.payload = payload
    self.envelope = envelope
    self.refMsgID = refMsgID
  }
}

/// The status of a message since it was sent.
package enum MessageStatus: Hashable, Sendable {
  case created, sent, received, accepted, rejected, reviewed, redirected
  /// A status that msdk does not know, in the Cloud Agent's words.
  case other(String)

  /// The codes of agencies, which the C API also uses.
  private static let codes: [(code: String, status: MessageStatus)] = [
    ("MS-101", .created), ("MS-102", .sent), ("MS-103", .received), ("MS-104", .accepted), ("MS-105", .rejected),
    ("MS-106", .reviewed), ("MS-107", .redirected),
  ]

  package init(code: String) { self = Self.codes.first { $0.code == code }?.status ?? .other(code) }

  package var code: String {
    if case .other(let code) = self { return code }
    return Self.codes.first { $0.status == self }?.code ?? ""
  }
}

/// The messages of one connection.
package struct ConnectionMessages: Equatable, Sendable {
  package let pairwiseDID: String
  package let messages: [StoredMessage]

  package init(pairwiseDID: String, messages: [StoredMessage]) {
    self.pairwiseDID = pairwiseDID
    self.messages = messages
  }
}

/// The ids of messages in a mailbox.
package struct MessageList: Equatable, Sendable {
  package let uids: [String]
  /// Whether the ids certainly come in the order in which the messages arrived.
  package let isInOrder: Bool

  package init(uids: [String], isInOrder: Bool) {
    self.uids = uids
    self.isInOrder = isInOrder
  }
}

/// Messages of one connection, by their uids.
package struct ConnectionUIDs: Equatable, Sendable {
  package let pairwiseDID: String
  package let uids: [String]

  package init(pairwiseDID: String, uids: [String]) {
    self.pairwiseDID = pairwiseDID
    self.uids = uids
  }
}

/// Selects messages: all messages, or the messages that meet every given list.
package struct MessageFilter: Equatable, Sendable {
  package var uids: [String]
  package var statuses: [MessageStatus]
  /// Whether the messages come without their payloads.
  package var excludesPayload: Bool
  /// The id of a message of the mailbox: the caller wants only later messages. A Cloud Agent that does not support
  /// this, or does not know the message, gives all messages.
  package var after: String?

  package init(
    uids: [String] = [], statuses: [MessageStatus] = [], excludesPayload: Bool = false, after: String? = nil
  ) {
    self.uids = uids
    self.statuses = statuses
    self.excludesPayload = excludesPayload
    self.after = after
  }
}

/// The words with which a Cloud Agent refuses a request.
package struct Refusal: Equatable, Sendable {
  /// Empty if the Cloud Agent gives only a trace id of its own log.
  package let statusCode: String
  package let statusMessage: String
  package let traceID: String?

  package init(statusCode: String, statusMessage: String, traceID: String? = nil) {
    self.statusCode = statusCode
    self.statusMessage = statusMessage
    self.traceID = traceID
  }
}
