package import DIDComm

/// Where a message comes from, as far as that is proven.
package enum Sender: Equatable, Sendable {
  /// An envelope from the mailbox, and the key that it was encrypted from, if any.
  case envelope(VerKey?)
  /// The application handed the message over and answers for it.
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
  /// The service as the document of an agent that is known by an invitation only, whose `@id` is `id`.
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
