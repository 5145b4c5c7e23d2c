internal import DIDComm
internal import JSON
internal import WebVH

/// A DID whose document is on the web: `did:webvh:…`, `did:web:…`.
struct WebPublicDID: Sendable {
  private let did: String

  /// Returns nil for DIDs of other methods.
  init?(_ did: String) {
    guard WebVHDID(did) != nil || WebDID(did) != nil else { return nil }
    self.did = did
  }

  /// The DID's document, with a service that msdk can send to.
  func document(with resolver: WebResolver) throws -> DIDDocument {
    let json: JSONObject
    do throws(DIDLogError) { json = try resolver.document(of: did) } catch {
      switch error {
      case .notFound: throw PublicDIDError.notFound(did)
      case .unreachable(let reason): throw PublicDIDError.unreachable(did, reason)
      case .deactivated: throw PublicDIDError.noEndpoint(did)
      default: throw PublicDIDError.invalid(did, "\(error)")
      }
    }
    do { return try DIDDocument(.object(json)) } catch {
      if case .noService = error { throw PublicDIDError.noEndpoint(did) }
      throw PublicDIDError.invalid(did, "\(error)")
    }
  }
}
