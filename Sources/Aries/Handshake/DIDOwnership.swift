package import DIDComm
internal import Sodium

/// The rule by which a DID belongs to keys. A peer that has proven a key has proven the DID only by this rule.
enum DIDOwnership {
  /// The DID contains its document: `did:peer:2`, and `did:peer:4` in its long form.
  case document(DIDDocument)
  /// The DID is the key: `did:key`.
  case key(VerKey)
  /// An unqualified DID or a `did:sov`: it is derived from its key, unless a ledger gives it another key.
  case derived(DID)
  /// Only a ledger or a server of the web knows the keys: `did:indy`, `did:webvh`, `did:web`.
  case published
  /// A `did:peer:1`, the hash of a document that nobody can repeat (see `PresentedDID.attached`). The DID is a claim of
  /// the peer, and only the peer's key is proven.
  case claimed

  /// Throws for a DID whose keys msdk cannot find out.
  init(of did: String) throws(DIDDocumentError) {
    if did.hasPrefix("did:peer:1") {
      guard Self.isHash(did.dropFirst("did:peer:1".count)) else { throw .malformed("id") }
      self = .claimed
    } else if did.hasPrefix("did:key:"), let key = try? VerKey(anyForm: did), did == key.didKey {
      self = .key(key)
    } else {
      do { self = .document(try DIDDocument(resolving: did)) } catch .needsLedger {
        guard let parsed = try? DID(did) else { throw .malformed("id") }
        let isPublished = ["did:indy:", "did:webvh:", "did:web:"].contains { did.hasPrefix($0) }
        self = isPublished ? .published : .derived(parsed.unqualified)
      }
    }
  }
}

extension DIDOwnership {
  /// Whether a text is a hash as a `did:peer:1` has it: a multihash of SHA-256, in multibase's base58.
  private static func isHash(_ text: Substring) -> Bool {
    guard text.first == "z", let bytes = try? Base58.decode(String(text.dropFirst()), limit: 46) else { return false }
    return bytes.count == 34 && bytes.starts(with: [0x12, 0x20])
  }
}

/// The DID by which a side introduces itself, with its document. It is not proven yet.
package struct IntroducedDID: Equatable, Sendable {
  package let did: String
  package let document: DIDDocument

  /// Reads the DID's own document if the DID contains one: an attached document must then name the same keys.
  init(_ did: String, _ attached: DIDDocument) throws(ProtocolError) {
    self.did = did
    switch try Self.ownership(of: did) {
    case .document(let contained):
      let keys = contained.service.recipientKeys
      guard attached.service.recipientKeys.allSatisfy(keys.contains) else { throw .otherKeys }
      document = contained
    case .key, .derived, .published, .claimed: document = attached
    }
  }

  /// The DID, if a ledger may know other keys of it than the document. Each DID of Indy is such a DID: an unqualified
  /// DID may be a public DID whose key its owner has replaced.
  package var publicDID: String? {
    switch try? Self.ownership(of: did) {
    case .published, .derived: did
    case .document, .key, .claimed, nil: nil
    }
  }

  /// The peer, if `key` is one of the document's keys and owns the DID. `ledger` is the answer of the ledgers about the
  /// DID. Throws `needsLedger` if only a ledger can decide and no ledger answers.
  func peer(owning key: VerKey, by ledger: LedgerAnswer) throws(ProtocolError) -> Peer {
    guard document.service.recipientKeys.contains(key) else { throw .notFromPeer }
    let isOwner =
      switch try Self.ownership(of: did) {
      case .document, .claimed: true
      case .key(let own): own == key
      case .derived(let derived): try isOwner(key, of: derived, by: ledger)
      case .published: try isOwner(key, by: ledger)
      }
    guard isOwner else { throw .otherKeys }
    return Peer(document: document, key: key, isConfirmed: ledger.confirms(key))
  }

  /// Whether the key owns a DID that may be derived from it. An unqualified DID that is derived from its key is most
  /// often a pairwise DID, which no ledger has. A ledger out of reach therefore does not hinder its handshake.
  private func isOwner(_ key: VerKey, of derived: DID, by ledger: LedgerAnswer) throws(ProtocolError) -> Bool {
    switch ledger {
    case .none: key.derives(derived)
    case .unreachable where !did.hasPrefix("did:") && key.derives(derived): true
    case .unreachable: throw .needsLedger
    case .withdrawn: false
    case .document: ledger.confirms(key)
    }
  }

  /// Whether the key owns a DID whose keys only a ledger knows.
  private func isOwner(_ key: VerKey, by ledger: LedgerAnswer) throws(ProtocolError) -> Bool {
    switch ledger {
    case .none, .unreachable: throw .needsLedger
    case .withdrawn, .document: ledger.confirms(key)
    }
  }

  private static func ownership(of did: String) throws(ProtocolError) -> DIDOwnership {
    do { return try DIDOwnership(of: did) } catch { throw .malformed(.malformedDocument(error)) }
  }
}

extension VerKey {
  /// Whether the Indy world derives this unqualified DID from the key: its first 16 bytes, or all of it, in base58.
  fileprivate func derives(_ unqualified: DID) -> Bool { unqualified == did || unqualified.text == text }
}
