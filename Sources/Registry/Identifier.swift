internal import Sodium

/// The facts in the id of a public object, in Indy's two forms: the older one that begins with a bare DID, and that of
/// `did:indy`.
struct Identifier: Equatable, Sendable {
  /// Nil for ids of the older form.
  let network: String?
  /// The DID in the object's `issuerId`.
  let issuer: String
  let object: Object

  enum Object: Equatable, Sendable {
    case schema(name: String, version: String)
    /// `schema` is the schema's number in its ledger, or its id.
    case definition(schema: String, tag: String)
    /// `definition` is the id of the definition.
    case revocationRegistry(definition: String, tag: String)
  }

  /// Returns nil for ids of other methods.
  init?(_ id: String) {
    if id.hasPrefix("did:indy:") { self.init(qualified: id) } else { self.init(legacy: id) }
  }

  /// `did:indy:<network>:<id>/anoncreds/v0/<kind>/…`; the network may have a colon of its own.
  private init?(qualified id: String) {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let method = parts[0].split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 6, parts[1] == "anoncreds", parts[2] == "v0", method.count >= 4,
      Self.isBareDID(method[method.count - 1])
    else { return nil }
    issuer = parts[0]
    network = method[2..<(method.count - 1)].joined(separator: ":")
    switch (parts[3], parts.count) {
    case ("SCHEMA", 6): object = .schema(name: parts[4], version: parts[5])
    case ("CLAIM_DEF", 6): object = .definition(schema: parts[4], tag: parts[5])
    case ("REV_REG_DEF", 7):
      object = .revocationRegistry(
        definition: "\(issuer)/anoncreds/v0/CLAIM_DEF/\(parts[4])/\(parts[5])", tag: parts[6])
    default: return nil
    }
  }

  /// `<DID>:2:<name>:<version>`, `<DID>:3:CL:<schema>:<tag>` or `<DID>:4:<definition>:CL_ACCUM:<tag>`.
  private init?(legacy id: String) {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, Self.isBareDID(parts[0][...]) else { return nil }
    issuer = parts[0]
    network = nil
    switch (parts[1], parts.count) {
    case ("2", 4): object = .schema(name: parts[2], version: parts[3])
    case ("3", 5) where parts[2] == "CL": object = .definition(schema: parts[3], tag: parts[4])
    case ("3", 8) where parts[2] == "CL":
      object = .definition(schema: parts[3...6].joined(separator: ":"), tag: parts[7])
    case ("4", 9...) where parts[parts.count - 2] == "CL_ACCUM":
      object = .revocationRegistry(
        definition: parts[2..<(parts.count - 2)].joined(separator: ":"), tag: parts[parts.count - 1])
    default: return nil
    }
  }

  /// A DID of Indy without its method: 16 bytes in base58.
  static func isBareDID(_ text: some StringProtocol) -> Bool {
    (21...22).contains(text.utf8.count) && (try? Base58.decode(String(text), limit: 22))?.count == 16
  }
}
