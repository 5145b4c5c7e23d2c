package import IndyVDR
package import JSON
internal import Sodium

extension Ledger {
  /// The agreement that the network requires of authors, with the ways to accept it in its member `aml`. An empty object
  /// if the network requires none.
  package func authorAgreement() throws(LedgerError) -> JSON {
    guard var agreement = try submit(.agreement)["data"]?.object else { return [:] }
    agreement["aml"] = try submit(.acceptanceMechanisms)["data"]?["aml"]
    return .object(agreement)
  }
}

/// The author's acceptance of the agreement that a network requires for writing.
package struct AgreementAcceptance: Equatable, Sendable {
  private let mechanism: String
  private let digest: String
  private let time: Int64

  /// The caller names the agreement by its text and its version, by its digest, or by all of them. `time` is in seconds
  /// since 1970.
  package init(
    text: String?, version: String?, digest: String?, mechanism: String, time: Int64
  ) throws(AgreementError) {
    let computed = text.flatMap { text in version.map { sha256(Array(($0 + text).utf8)).hex } }
    guard let digest = digest ?? computed else { throw .unnamed }
    guard computed == nil || computed == digest else { throw .otherDigest }
    (self.mechanism, self.digest, self.time) = (mechanism, digest, time)
  }

  /// Reads `author_agreement` of a configuration.
  package init(_ object: JSONObject) throws {
    try self.init(
      text: object.optionalString("text"), version: object.optionalString("version"),
      digest: object.optionalString("taaDigest"), mechanism: object.string("acceptanceMechanismType"),
      time: object.integer("timeOfAcceptance"))
  }

  /// The time is the beginning of the day, so that it identifies nobody.
  var json: JSON {
    ["mechanism": .string(mechanism), "taaDigest": .string(digest), "time": .integer(time - time % 86_400)]
  }
}

/// The reasons why an acceptance names no agreement.
package enum AgreementError: Error, Equatable, Sendable {
  /// There is neither a digest, nor a text with its version.
  case unnamed
  /// The digest is not the digest of the text and the version.
  case otherDigest
}

extension AgreementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unnamed: "the agreement is given neither by its digest nor by its text and version"
    case .otherDigest: "the digest is not that of the agreement's version and text"
    }
  }
}
