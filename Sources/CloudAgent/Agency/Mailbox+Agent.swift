internal import Aries
internal import DIDComm

extension Mailbox {
  /// The pairwise agent that keeps the messages. Throws if the mailbox is not an agency's.
  var agent: Party {
    get throws(CloudAgentError) {
      guard let keeper else { throw .unknownMailbox(pairwiseDID) }
      return keeper
    }
  }
}
