internal import AgencyWire
package import DIDComm
package import JSON
internal import Sodium

/// A sponsor's word that the user may have a Cloud Agent: the token that the sponsor's backend gives to the app.
package struct SponsorToken: Sendable {
  let token: ProvisionToken

  /// Reads the JSON text of a token. The agency judges whether it is good.
  package init(parsing text: String) throws(TokenError) {
    let object: JSONObject
    do { object = try JSON(parsing: text).requireObject() } catch { throw .malformed(error) }
    do { _ = try Attestation(object) } catch { throw .malformedAttestation(error) }
    do { token = try ProvisionToken(object) } catch { throw .malformed(error) }
  }

  /// Marks an attempt to provision with this token, so that a repetition finds it again.
  package func mark(at agency: Party) -> String {
    sha256(Array([agency.verkey.text, token.sponsorID, token.nonce, token.signature].joined(separator: "\n").utf8)).hex
  }
}

/// Why a text is no token.
package enum TokenError: Error, Equatable, Sendable {
  case malformed(JSONError)
  /// Only half of an attestation, or one of an unknown kind.
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
