/// The statuses of a message at the Cloud Agent.
package enum MessageStatus: Sendable {
  package static let received = "MS-103"
  package static let rejected = "MS-105"
  package static let reviewed = "MS-106"

  /// Reads one of `MS-101` (created) … `MS-107` (redirected).
  static func check(_ code: String) throws(MailboxError) -> String {
    guard (101...107).contains(where: { code == "MS-\($0)" }) else { throw .unknownStatus }
    return code
  }
}

/// Why a call on the mailbox cannot be understood.
package enum MailboxError: Error, Equatable, Sendable {
  case unknownStatus
  case malformedList(String)
  /// So many messages have the id that one was asked for by.
  case notOneMessage(count: Int)
}

extension MailboxError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownStatus: "a message status is none of MS-101 to MS-107"
    case .malformedList(let reason): "malformed list of messages: \(reason)"
    case .notOneMessage(let count): "\(count) messages have this id"
    }
  }
}
