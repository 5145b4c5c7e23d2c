internal import Credentials
internal import Indy
internal import JSON
internal import WebVH

extension ObjectNaming {
  /// The form of the ids of an issuer's objects, which the method of its DID decides.
  init(issuer: String) throws(IssuingError) {
    if let did = IndyDID(issuer) {
      self = .indy(did)
    } else if let did = WebVHDID(issuer) {
      self = .content(issuer: did.text) { try ResourceID(of: $0.requireObject(), by: did).text }
    } else {
      throw .invalidIssuer(issuer)
    }
  }
}
