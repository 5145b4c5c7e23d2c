package import DIDComm
package import JSON
package import Sodium

/// The action that a machine asks of its caller. The machine's new state counts once the action is done.
package enum Action: Equatable, Sendable {
  case send(JSON, to: Service)
  /// Sends messages in this order.
  case sendAll([JSON], to: Service)
  /// Sends a message to somebody other than the peer, if possible. A failure does not matter.
  case notify(JSON, to: Service)
  /// Sends a message. The answered message stays for the application.
  case sendAndLeave(JSON, to: Service)
  /// No action: the machine has applied the message, or the message has no effect.
  case nothing
  /// The message stays for the application: it is not for the machine, or it has ended the connection.
  case leave
  /// The peer's message cannot be used. The caller sends `report` to the peer, if it can be reached, and throws the
  /// error. The message stays for the application.
  case refuse(ProtocolError, report: JSON, to: Service)
}

/// The caller's values that a machine needs to answer a message.
package struct Reply: Sendable {
  /// The `@id` of the answer, if there is one.
  package let id: String
  /// The time of the answer, in seconds since 1970.
  package let time: UInt64
  /// This side of the connection. An inviter's machine ignores a request without it. No peer may present it.
  package let own: OwnSide?
  /// The key of an inviter's public DID, if the DID implies the invitation: it signs the response. Nil for any other
  /// invitation, whose key is the pairwise key.
  package let invitationKey: KeyPair?
  /// Whether to answer a message that gets one answer and stays for the application. The caller knows that the message
  /// may have one, and has had none yet: it reuses an invitation, or revokes a credential of this connection.
  package let answersOnce: Bool
  /// Whether the invitation that a message reuses is not ours, or is another peer's by now.
  package let refusesReuse: Bool
  /// The answer of the ledgers about the public DID that the message presents.
  package let ledger: LedgerAnswer

  package init(
    id: String, time: UInt64 = 0, as own: OwnSide? = nil, signingWith invitationKey: KeyPair? = nil,
    answersOnce: Bool = false, refusesReuse: Bool = false, ledger: LedgerAnswer = .none
  ) {
    self.id = id
    self.time = time
    self.own = own
    self.invitationKey = invitationKey
    self.answersOnce = answersOnce
    self.refusesReuse = refusesReuse
    self.ledger = ledger
  }
}

extension Reply {
  /// Throws if a side introduces itself by a key or the mailbox of this side, so that our messages would come back to us.
  func requireOther(_ introduced: IntroducedDID) throws(ProtocolError) {
    guard let own else { return }
    let theirs = introduced.document.service
    guard !theirs.recipientKeys.contains(own.key.verkey),
      invitationKey.map({ !theirs.recipientKeys.contains($0.verkey) }) ?? true,
      own.mailboxKey == nil || own.mailboxKey != theirs.routingKeys.first
    else { throw .ownKey }
  }
}

/// This side of a connection: the pairwise key and the service that receives its messages.
package struct OwnSide: Sendable {
  package let key: KeyPair
  package let service: Service
  /// The key of this side's mailbox, if the mailbox has one of its own. A mediator has one key for all of its clients, who
  /// may be peers.
  package let mailboxKey: VerKey?

  package init(key: KeyPair, service: Service, mailboxKey: VerKey? = nil) {
    self.key = key
    self.service = service
    self.mailboxKey = mailboxKey
  }

  /// The unqualified pairwise DID.
  package var did: String { key.verkey.did.text }

  /// The document of the pairwise DID in the form of connections/1.0.
  package var document: DIDDocument { DIDDocument(id: did, key: key.verkey, service: service) }
}
