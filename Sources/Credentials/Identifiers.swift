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

  /// The id without its prefixes: `creddef:sov:did:sov:NcY…:3:CL:12:tag` becomes `NcY…:3:CL:12:tag`.
  static func short(_ id: String) -> String {
    var rest = id.split(separator: ":", omittingEmptySubsequences: false)[...]
    var kept: [Substring] = []
    while let part = rest.popFirst() {
      let isObject = ["schema", "creddef", "revreg"].contains(part) && rest.dropFirst().first == "did"
      if isObject {
        rest = rest.dropFirst(3)
      } else if part == "did", rest.count > 1 {
        rest = rest.dropFirst()
      } else {
        kept.append(part)
      }
    }
    return kept.joined(separator: ":")
  }
}

extension String {
  /// Whether the id is a URI, such as one with a DID method; Indy's older ids begin with a bare DID.
  package var isQualifiedID: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isLetter else {
      return false
    }
    let scheme = self[..<colon]
    // A bare DID has 21 or 22 characters, all of them base58: no scheme is that long.
    return scheme.utf8.count < 21
      && scheme.utf8.allSatisfy { $0.isLetter || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5a).contains(self & ~0x20) }
}
