/// The parts of an Indy schema id without a DID method: `V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0`.
package struct SchemaName: Equatable, Sendable {
  package let issuer, name, version: String

  package init(issuer: String, name: String, version: String) {
    self.issuer = issuer
    self.name = name
    self.version = version
  }

  /// Returns nil for ids of another form.
  package init?(legacy id: String) {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[1] == "2", !parts[0].isEmpty else { return nil }
    self.init(issuer: parts[0], name: parts[2], version: parts[3])
  }
}

/// Ids with a DID method, and libindy's short form of them.
enum QualifiedID: Sendable {
  /// The issuer in an id of Indy, of the older form or of `did:indy`, for a credential definition; nil for ids of another
  /// form.
  static func issuer(ofDefinition id: String) -> String? {
    if id.hasPrefix("did:indy:") { return OwnID.issuer(of: id) }
    let parts = id.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 5, parts[1] == "3", parts[2] == "CL", !parts[0].isEmpty else { return nil }
    return String(parts[0])
  }

  /// Whether libindy regards a credential definition id as qualified.
  static func isQualified(definition id: String) -> Bool { id.hasPrefix("creddef:") }

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
