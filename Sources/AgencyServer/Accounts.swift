package import AgencyWire
package import DIDComm

/// A user's Cloud Agent: an account.
package struct Agent: Equatable, Sendable {
  /// How far the three requests of provisioning have come.
  package enum State: String, Sendable { case connected, registered, created }

  package let id: Int64
  package let party: Party
  package let sealedKey: SealedKey

  /// The only key whose requests the agent obeys, and the one that its answers are for.
  package let owner: VerKey
  package var state: State

  /// Who vouched for the owner; nil where anybody may have an agent.
  package let sponsorID: String?
}

/// A mailbox: the server's side of one of a user's connections.
package struct PairwiseAgent: Equatable, Sendable {
  package let id: Int64
  package let agentID: Int64
  package let party: Party
  package let sealedKey: SealedKey

  /// The user's side: what the peer knows, and the only key that manages the mailbox.
  package let forDID: DID
  package let forVerKey: VerKey

  /// The owner of the agent that it belongs to: whom answers are for.
  package let owner: VerKey

  /// Deleted mailboxes stay for a while as tombstones, without messages, so that a repeated deletion has the same
  /// answer.
  package var isDeleted: Bool
}

/// A secret key under the master key: what the store keeps.
package struct SealedKey: Equatable, Sendable {
  package let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// Where an envelope can be handed on to.
package enum Destination: Equatable, Sendable {
  case agent(Agent)
  case mailbox(PairwiseAgent)
}

/// What a forward names as its addressee: a DID or a verkey.
package struct Address: Hashable, Sendable {
  /// Base58: a verkey, or a DID without its method.
  package let text: String

  /// Understands verkeys, `did:key`, and DIDs with and without `did:sov:`. Nil for anything else.
  package init?(_ text: String) {
    if let key = try? VerKey(anyForm: text) {
      self.text = key.text
    } else if let did = try? DID(text) {
      self.text = did.unqualified.text
    } else {
      return nil
    }
  }
}
