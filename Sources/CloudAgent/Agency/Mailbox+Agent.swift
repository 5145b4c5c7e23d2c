package import Aries
package import DIDComm

extension Mailbox {
  /// The mailbox that a pairwise agent keeps. An agency's mailboxes are named by their agents.
  package init(key: VerKey, agent: Party) { self.init(key: key, did: agent.did, verkey: agent.verkey.text) }

  /// The pairwise agent that keeps the messages. Throws if the name is not one of an agency's mailboxes.
  package var agent: Party {
    get throws(CloudAgentError) {
      let (did, verkey) = nameParts
      guard let verkey = try? VerKey(verkey) else { throw .foreignMailbox(pairwiseDID) }
      return Party(did: did, verkey: verkey)
    }
  }
}
