internal import Indy

/// The facts about a schema with which the wallet finds credentials.
package struct SchemaName: Equatable, Sendable {
  package let issuer, name, version: String

  package init(issuer: String, name: String, version: String) {
    self.issuer = issuer
    self.name = name
    self.version = version
  }

  /// The facts in a schema's id. Returns nil for ids that are not Indy's.
  package init?(id: String) {
    guard let id = IndyID(id), case .schema(let name, let version) = id.object else { return nil }
    self.init(issuer: id.issuer.text, name: name, version: version)
  }
}

/// libindy's ids with a prefix, such as `creddef:sov:did:sov:NcY…:3:CL:12:tag`, and their short form.
enum PrefixedID: Sendable {
  /// Whether the id of a credential definition has libindy's prefix.
  static func isPrefixed(definition id: String) -> Bool { id.hasPrefix("creddef:") }

  /// The id without its prefixes: `creddef:sov:did:sov:NcY…:3:CL:12:tag` becomes `NcY…:3:CL:12:tag`. Returns nil if a prefix
  /// names another method than `sov`.
  static func short(_ id: String) -> String? {
    var rest = id.split(separator: ":", omittingEmptySubsequences: false)[...]
    var kept: [Substring] = []
    while let part = rest.popFirst() {
      let isObject = ["schema", "creddef", "revreg"].contains(part) && rest.dropFirst().first == "did"
      if isObject {
        guard rest.starts(with: ["sov", "did", "sov"]) else { return nil }
        rest = rest.dropFirst(3)
      } else if part == "did", rest.count > 1 {
        guard rest.first == "sov" else { return nil }
        rest = rest.dropFirst()
      } else {
        kept.append(part)
      }
    }
    return kept.joined(separator: ":")
  }
}
