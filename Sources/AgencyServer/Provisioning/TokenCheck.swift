internal import AgencyWire
internal import DIDComm
internal import Sodium
internal import Time

/// The reasons why a token gives no account. Other agencies of this protocol write the same texts.
enum TokenProblem: String, Error {
  case missing = "Token is required for provisioning"
  case malformed = "Token is malformed"
  case unknownSponsor = "Sponsor not found - possible sponsor deactivation"
  case inactiveSponsor = "Sponsor has an inactive status - cannot provision"
  case expired = "Timestamp provided has expired - possibly get new token from sponsor"
  case forged = "Signature is invalid - ex. Base64Encode(Sign(nonce + timestamp + sponseeId + sponsorId))"
  case foreignKey = "Token contains verkey which doesn't match sponsor's information"
  case used = "App has already provisioned for this token"
  case elsewhere = "Tokens come from the sponsor"
  case none = "The sponsor gave no token"
  case keyInUse = "Already provisioned for given key"
}

extension Admission {
  /// Returns the sponsor of the token's user. Throws if no sponsor vouches.
  func check(_ token: ProvisionToken, at now: Int64) throws(TokenProblem) -> Sponsor {
    guard token.isPlain, !token.isAmbiguous else { throw .malformed }
    guard let sponsor = self[sponsor: token.sponsorID] else { throw .unknownSponsor }
    guard sponsor.isActive else { throw .inactiveSponsor }
    guard let time = Timestamp(ofToken: token.timestamp), abs(now - time.seconds) < window else { throw .expired }
    guard token.isSignedByItsKey else { throw .forged }
    guard let key = try? VerKey(token.sponsorVerKey), sponsor.keys.contains(key) else { throw .foreignKey }
    return sponsor
  }

  /// The time until which a used token must be remembered: longer than anybody could use it again. The present window does
  /// not count, because an operator can widen it later.
  func expiry(at now: Int64) -> Int64 { now + 2 * Self.longestWindow }
}

extension ProvisionToken {
  /// The marks that identify a used token: the sponsor's nonce, and the signature.
  var marks: [[UInt8]] {
    [sha256(Array("\(sponsorID)\u{0}\(nonce)".utf8)), sha256(Array(signature.utf8))]
  }

  /// The length of the longest member, in bytes.
  static let longestMember = 256

  /// Whether the text is short enough and has no control characters.
  fileprivate var isPlain: Bool {
    [sponseeID, sponsorID, nonce, timestamp, signature, sponsorVerKey].allSatisfy { text in
      text.utf8.count <= Self.longestMember && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    }
  }

  /// Whether a second time can be read in the signed text. A user whose id contains a time could otherwise cut the token
  /// there, and present it as the token of another user.
  fileprivate var isAmbiguous: Bool { Timestamp.beginnings(in: signedText) > 1 }
}
