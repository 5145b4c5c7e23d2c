/// The ids under which this program publishes: those of `did:indy` for an issuer with such a DID, and otherwise those of
/// Indy's older form.
package enum OwnID: Sendable {
  package static func schema(of issuer: String, name: String, version: String) -> String {
    isQualified(issuer) ? "\(issuer)\(path)/SCHEMA/\(name)/\(version)" : "\(issuer):2:\(name):\(version)"
  }

  /// `number` is that of the schema.
  static func definition(of issuer: String, schema number: Int64, tag: String) -> String {
    isQualified(issuer) ? "\(issuer)\(path)/CLAIM_DEF/\(number)/\(tag)" : "\(issuer):3:CL:\(number):\(tag)"
  }

  static func registry(of definition: String, tag: String) -> String {
    let issuer = issuer(of: definition)
    guard isQualified(definition) else { return "\(issuer):4:\(definition):CL_ACCUM:\(tag)" }
    return "\(issuer)\(path)/REV_REG_DEF/\(parts(of: definition).suffix(2).joined(separator: "/"))/\(tag)"
  }

  /// The DID of the issuer of a schema or a definition.
  package static func issuer(of id: String) -> String { parts(of: id).first ?? "" }

  /// The tag of a definition.
  package static func tag(of id: String) -> String { parts(of: id).last ?? "" }

  private static let path = "/anoncreds/v0"

  private static func isQualified(_ id: String) -> Bool { id.hasPrefix("did:indy:") }

  private static func parts(of id: String) -> [String] {
    id.split(separator: isQualified(id) ? "/" : ":", omittingEmptySubsequences: false).map(String.init)
  }
}
