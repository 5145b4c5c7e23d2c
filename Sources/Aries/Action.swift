package import DIDComm
package import JSON
package import Sodium

/// What a machine has the caller do. The machine's new state counts once it is done.
package enum Action: Equatable, Sendable {
  case send(JSON, to: Service)
  /// The same, if it can be sent: to somebody who is not the peer.
  case tell(JSON, to: Service)
  /// The same, and the message that is answered stays for the application.
  case sendAndLeave(JSON, to: Service)
  /// The message has had its effect, if any.
  case nothing
  /// The message stays for the application: it is not for the machine, or it has ended the connection.
  case leave
  /// The message is the peer's, but cannot be used. The peer is told why, if it can be reached, and the caller gets the
  /// error. The message stays for the application.
  case refuse(ProtocolError, report: JSON, to: Service)
}

/// What a machine needs from outside to answer a message.
package struct Reply: Sendable {
  /// For the `@id` of the message that may have to be sent.
  package let id: String
  /// The time of the answer, in seconds since 1970.
  package let time: UInt64
  /// Who answers. An inviter's machine does nothing about a request without it.
  package let own: OwnSide?
  /// Whether the message, if it reuses an invitation, is to be answered: the invitation is our own, and the message has
  /// not been answered before.
  package let acceptsReuse: Bool

  package init(id: String, time: UInt64 = 0, as own: OwnSide? = nil, acceptsReuse: Bool = false) {
    self.id = id
    self.time = time
    self.own = own
    self.acceptsReuse = acceptsReuse
  }
}

/// The own side of a connection: the pairwise key, and where its messages arrive.
package struct OwnSide: Sendable {
  package let key: KeyPair
  package let service: Service

  package init(key: KeyPair, service: Service) {
    self.key = key
    self.service = service
  }

  /// The unqualified pairwise DID.
  package var did: String { key.verkey.did.text }

  /// The document of the pairwise DID as connections/1.0 exchanges it.
  package var document: DIDDocument { DIDDocument(id: did, key: key.verkey, service: service) }
}
