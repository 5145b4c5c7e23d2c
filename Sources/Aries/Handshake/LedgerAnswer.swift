package import DIDComm

/// The answer of the configured ledgers, or of the DID's own server, about the keys of a DID.
package enum LedgerAnswer: Equatable, Sendable {
  /// No ledger of the DID's network is configured, or none has the DID.
  case none
  /// A ledger that might have the DID could not be asked.
  case unreachable
  /// A ledger has the DID without a key: its owner has withdrawn it.
  case withdrawn
  /// The document of the DID, by the first ledger that has it.
  case document(DIDDocument)

  /// The document, if a ledger has one.
  var document: DIDDocument? {
    if case .document(let document) = self { document } else { nil }
  }

  /// Whether a ledger confirms that the DID has this key.
  func confirms(_ key: VerKey) -> Bool { document?.service.recipientKeys.contains(key) ?? false }
}
