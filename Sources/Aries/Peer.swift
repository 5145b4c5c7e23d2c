package import DIDComm

/// The proven origin of a message.
package enum Sender: Equatable, Sendable {
  /// The message came in an envelope from the mailbox, from this key if the envelope proves one.
  case envelope(VerKey?)
  /// The application passed the message and answers for it.
  case application

  func isOne(of keys: [VerKey]) -> Bool {
    switch self {
    case .application: true
    case .envelope(let key): key.map(keys.contains) ?? false
    }
  }

  func require(oneOf keys: [VerKey]) throws(ProtocolError) {
    guard isOne(of: keys) else { throw .notFromPeer }
  }
}

extension Service {
  /// The service as the DID document of an agent that is known by its invitation only, whose `@id` is `id`.
  package func document(id: String) -> DIDDocument {
    DIDDocument(id: id, key: recipientKeys[0], service: self)
  }
}

/// The other side of a connection, once it has introduced itself.
package struct Peer: Equatable, Sendable {
  package let document: DIDDocument

  package init(document: DIDDocument) { self.document = document }

  package var service: Service { document.service }

  package var did: String { DID.name(of: document.id) }
}
