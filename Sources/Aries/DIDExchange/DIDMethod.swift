internal import DIDComm

/// The kind of DID that a side of a DID exchange presents.
package enum DIDMethod: String, Sendable {
  /// 16 bytes in base58, with the document attached.
  case unqualified
  case peer2 = "did:peer:2"
  case peer4 = "did:peer:4"

  /// The method that msdk uses unless the caller names another.
  static func usual(in version: DIDExchangeVersion) -> DIDMethod {
    switch version {
    case .v1_0: .unqualified
    case .v1_1: .peer4
    }
  }
}

extension DIDMethod {
  /// Returns the DID of a side. A `did:peer` contains the keys and the endpoint.
  package func did(of own: OwnSide) -> String {
    switch self {
    case .unqualified: own.did
    case .peer2: PeerDID2.encoding(key: own.key.verkey, service: own.service)
    case .peer4: PeerDID4(key: own.key.verkey, service: own.service).long
    }
  }
}
