package import JSON

/// A message as the Cloud Agent keeps it.
package struct StoredMessage: Equatable, Sendable {
  package let uid: String
  package let status: MessageStatus
  /// Empty when an outside agent sent it.
  package let senderDID: String
  package let type: String
  /// The packed message as the Cloud Agent gives it. Nil when it was not asked for.
  package let payload: JSON?
  /// The packed message as an object. Nil for a payload that holds none.
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

/// What has happened to a message since it was sent.
package enum MessageStatus: Hashable, Sendable {
  case created, sent, received, accepted, rejected, reviewed, redirected
  /// A status that msdk does not know, in the Cloud Agent's words.
  case other(String)
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

/// Messages of one connection, by their uids.
package struct ConnectionUIDs: Equatable, Sendable {
  package let pairwiseDID: String
  package let uids: [String]

  package init(pairwiseDID: String, uids: [String]) {
    self.pairwiseDID = pairwiseDID
    self.uids = uids
  }
}

/// Which messages are asked for: all messages, or the messages that meet every list given.
package struct MessageFilter: Equatable, Sendable {
  package var uids: [String]
  package var statuses: [MessageStatus]
  /// Whether the messages come without their payloads.
  package var excludesPayload: Bool

  package init(uids: [String] = [], statuses: [MessageStatus] = [], excludesPayload: Bool = false) {
    self.uids = uids
    self.statuses = statuses
    self.excludesPayload = excludesPayload
  }
}

/// How the owner wants to hear of new messages.
package struct ComMethod: Equatable, Sendable {
  /// What `value` is, and who is told.
  package enum Kind: Sendable {
    /// A push token of the Cloud Agent's own push account.
    case push
    /// The URL of a program of the owner's.
    case webhook
    /// A text that the sponsor understands; the sponsor is told.
    case sponsor
    /// A push token of the sponsor's push account.
    case sponsorPush
  }

  /// The owner's name for the method. The same name replaces it.
  package let id: String
  package let kind: Kind
  /// Empty removes the method.
  package let value: String

  package init(id: String, kind: Kind, value: String) {
    self.id = id
    self.kind = kind
    self.value = value
  }
}

/// The words with which a Cloud Agent refuses a request.
package struct Refusal: Equatable, Sendable {
  /// Empty where the Cloud Agent gives only a trace id for its own log.
  package let statusCode: String
  package let statusMessage: String
  package let traceID: String?

  package init(statusCode: String, statusMessage: String, traceID: String? = nil) {
    self.statusCode = statusCode
    self.statusMessage = statusMessage
    self.traceID = traceID
  }
}
