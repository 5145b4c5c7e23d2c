internal import CloudAgent

extension MessageStatus {
  /// The statuses by the codes of the C API.
  private static let codes: [String: MessageStatus] = [
    "MS-101": .created, "MS-102": .sent, "MS-103": .received, "MS-104": .accepted, "MS-105": .rejected,
    "MS-106": .reviewed, "MS-107": .redirected,
  ]

  /// Reads one of `MS-101` to `MS-107`.
  init(code: String) throws(MailboxError) {
    guard let status = Self.codes[code] else { throw .unknownStatus }
    self = status
  }

  var code: String {
    if case .other(let code) = self { return code }
    return Self.codes.first { $0.value == self }?.key ?? ""
  }
}

/// The reasons why a call on the mailbox cannot be understood.
package enum MailboxError: Error, Equatable, Sendable {
  case unknownStatus
  case malformedList(String)
  /// The number of messages with the requested id is not one.
  case notOneMessage(count: Int)
  /// The effect of a handed message needs a sender, and the mailbox holds no such message with one.
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
