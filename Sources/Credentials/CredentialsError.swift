/// The reasons why a credential or a presentation could not be made, read or shown. They carry ids and names, never
/// values.
package enum CredentialsError: Error, Equatable, Sendable {
  /// The proof request does not conform to AnonCreds, or asks for nothing.
  case malformedRequest(String)
  /// The attributes of an own request cannot be read, or the request asks for nothing.
  case malformedRequestedAttributes(String)
  /// The predicates of an own request cannot be read.
  case malformedRequestedPredicates(String)
  /// The interval of an own request cannot be read, or ends before it begins.
  case malformedInterval(String)
  /// A restriction uses an operator that is not supported for credentials.
  case unsupportedRestriction(String)
  /// The selection of credentials cannot be read, or does not fit the request.
  case malformedSelection(String)
  /// The self-attested values are not an object of texts.
  case malformedSelfAttested(String)
  /// The offer cannot be read, or does not fit its definition.
  case malformedOffer(String)
  /// The credential cannot be read, or does not fit its public objects.
  case malformedCredential(String)
  /// The conditions of a search for credentials cannot be read.
  case malformedQuery(String)
  /// The wallet has no such credential.
  case notFound
  /// The thread of the exchange already has another credential.
  case exists
  /// The issuer has revoked the credential.
  case revoked
  /// The presentation is not verified, so that its content is not known.
  case notVerified
  /// A registry answers that it has no such public object.
  case absentObject
  /// The public object that a registry gives cannot be used.
  case unusableObject(String)
  /// The revocation registry or its tails file cannot be used.
  case malformedRegistry(String)
}

extension CredentialsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformedRequest(let reason): "proof request: \(reason)"
    case .malformedRequestedAttributes(let reason): "requested attributes: \(reason)"
    case .malformedRequestedPredicates(let reason): "requested predicates: \(reason)"
    case .malformedInterval(let reason): "interval: \(reason)"
    case .unsupportedRestriction(let reason): "restriction: \(reason)"
    case .malformedSelection(let reason): "selected credentials: \(reason)"
    case .malformedSelfAttested(let reason): "self-attested attributes: \(reason)"
    case .malformedOffer(let reason): "credential offer: \(reason)"
    case .malformedCredential(let reason): "credential: \(reason)"
    case .malformedQuery(let reason): "search for credentials: \(reason)"
    case .notFound: "the wallet has no such credential"
    case .exists: "the wallet has another credential of this exchange"
    case .revoked: "the credential is revoked"
    case .notVerified: "the presentation is not verified"
    case .absentObject: "there is no such public object"
    case .unusableObject(let reason): "public object: \(reason)"
    case .malformedRegistry(let reason): "revocation registry: \(reason)"
    }
  }
}
