/// A message has arrived in a mailbox.
package struct Arrival: Hashable, Sendable {
  package let accountID: Int64

  /// The user's DID of the mailbox.
  package let pairwiseDID: String

  /// The number of the message; nil if it is not known.
  var messageID: Int64?

  package init(accountID: Int64, pairwiseDID: String, messageID: Int64? = nil) {
    self.accountID = accountID
    self.pairwiseDID = pairwiseDID
    self.messageID = messageID
  }

  init(in mailbox: Mailbox) { self.init(accountID: mailbox.agentID, pairwiseDID: mailbox.forDID.text) }
}

/// Receives arrivals, on any thread. It must not block.
package typealias ArrivalListener = @Sendable ([Arrival]) -> Void
