package import DIDComm

/// The proven origin of a message.
package struct Sender: Equatable, Sendable {
  /// The key that provably sent the message. Nil if its envelope proves no sender, or if the envelope is not known.
  package let key: VerKey?

  /// The sender of an envelope from the mailbox.
  package static func envelope(_ key: VerKey?) -> Sender { Sender(key: key) }

  func isOne(of keys: [VerKey]) -> Bool { key.map(keys.contains) ?? false }

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
///
/// A peer may list other owners' keys in its document. Only the key that the peer has proven counts, so `document`
/// names no other recipient.
package struct Peer: Equatable, Sendable {
  package let document: DIDDocument
  /// Whether a ledger has confirmed that the DID has the key.
  package let isConfirmed: Bool

  /// The peer in a stored document, or behind an invitation without a handshake: the first key is the peer's.
  package init(document: DIDDocument, isConfirmed: Bool = false) {
    self.init(document: document, key: document.service.recipientKeys[0], isConfirmed: isConfirmed)
  }

  /// The peer that has proven `key`, which its document lists.
  package init(document: DIDDocument, key: VerKey, isConfirmed: Bool = false) {
    self.document = document.naming(only: key)
    self.isConfirmed = isConfirmed
  }

  package var service: Service { document.service }

  /// The key of the peer: it sends the peer's messages and verifies the peer's signatures.
  package var key: VerKey { service.recipientKeys[0] }

  package var did: String { DID.name(of: document.id) }
}
