/// The reasons why an issuer's object could not be made or used. They carry ids and names, never values.
package enum IssuingError: Error, Equatable, Sendable {
  /// The attributes of a schema are not an array of names.
  case malformedNames(String)
  /// The name, the version or the attributes of a schema are not permitted.
  case invalidSchema(String)
  /// The tag of a definition is not permitted.
  case invalidTag(String)
  /// The issuer's DID is of another method than Indy's and webvh.
  case invalidIssuer(String)
  /// The values of a credential cannot be read, or do not fit its definition.
  case malformedValues(String)
  /// The revocation settings are incomplete, or the credential cannot be revoked.
  case malformedRevocation(String)
  /// The wallet lacks the keys of a definition or a revocation registry.
  case noKeys(String)
  /// The holder's request cannot be read, does not answer the offer, or is not genuine.
  case malformedRequest(String)
  /// The exchange has an offer of another credential.
  case otherTerms
  /// The revocation registry has no place left.
  case registryFull
}

extension IssuingError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedNames(let reason): "attributes of the schema: \(reason)"
    case .invalidSchema(let reason): "schema: \(reason)"
    case .invalidTag(let reason): "tag of the definition: \(reason)"
    case .invalidIssuer(let did): "\(did) is no DID of did:sov, did:indy or did:webvh"
    case .malformedValues(let reason): "values of the credential: \(reason)"
    case .malformedRevocation(let reason): "revocation: \(reason)"
    case .noKeys(let id): "the wallet does not have the keys of \(id)"
    case .malformedRequest(let reason): "credential request: \(reason)"
    case .otherTerms:
      "the exchange has an offer with other values, or of another credential definition or revocation registry"
    case .registryFull: "revocation registry is full"
    }
  }
}
