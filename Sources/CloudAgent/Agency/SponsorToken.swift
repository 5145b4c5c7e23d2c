internal import AgencyWire
package import DIDComm
package import JSON
internal import Sodium

/// The token with which the sponsor's backend vouches for the user of the app.
package struct SponsorToken: Sendable {
  let token: ProvisionToken

  /// Reads the JSON text of a token. The agency decides whether it is valid.
  package init(parsing text: String) throws(TokenError) {
    let object: JSONObject
    do { object = try JSON(parsing: text).requireObject() } catch { throw .malformed(error) }
    do { _ = try Attestation(object) } catch { throw .malformedAttestation(error) }
    do { token = try ProvisionToken(object) } catch { throw .malformed(error) }
  }

  /// Marks an attempt to provision with this token, so that a repetition finds the attempt.
  package func mark(at agency: Party) -> String {
    sha256(Array([agency.verkey.text, token.sponsorID, token.nonce, token.signature].joined(separator: "\n").utf8)).hex
  }
}

/// The reasons why a text is not a token.
package enum TokenError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// The attestation lacks one of its two members, or is of an unknown kind.
  case malformedAttestation(JSONError)
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let error): "the token is malformed: \(error)"
    case .malformedAttestation(let error): "the token's attestation is malformed: \(error)"
    }
  }
}
