internal import CloudAgent

extension MessageStatus {
  /// Reads one of `MS-101` to `MS-107`.
  init(knownCode code: String) throws(MailboxError) {
    self.init(code: code)
    if case .other = self { throw .unknownStatus }
  }
}

/// The reasons why a call on the mailbox cannot be understood.
package enum MailboxError: Error, Equatable, Sendable {
  case unknownStatus
  case malformedList(String)
  /// The number of messages with the requested id is not one.
  case notOneMessage(count: Int)
  /// The effect of a handed message needs a proven sender, and the mailbox has no such message from a proven sender.
  case unprovenSender
}

extension MailboxError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownStatus: "a message status is none of MS-101 to MS-107"
    case .malformedList(let reason): "malformed list of messages: \(reason)"
    case .notOneMessage(let count): "\(count) messages have this id"
    case .unprovenSender:
      "nothing proves who sent the message: the mailbox of this connection holds no such message from a known key"
    }
  }
}
