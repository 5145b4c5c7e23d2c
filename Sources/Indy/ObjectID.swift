extension String {
  /// Whether the text can be the id of a public object: an id of Indy, or a URI. No registry has an object with another
  /// id.
  package var isObjectID: Bool {
    if IndyID(self) != nil { return true }
    return isQualifiedID && !hasPrefix("did:indy:") && utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
  }

  /// Whether the id is a URI, such as an id with a DID method; Indy's older ids begin with a bare DID.
  package var isQualifiedID: Bool {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), let first = utf8.first, first.isLetter else {
      return false
    }
    let scheme = self[..<colon]
    // A bare DID has 21 or 22 characters, all in base58: no scheme is that long.
    return scheme.utf8.count < 21
      && scheme.utf8.allSatisfy { $0.isLetter || (0x30...0x39).contains($0) || "+.-".utf8.contains($0) }
  }
}

extension String {
  /// The issuer that an id names: the DID before it. Nil if the id may name several, or none.
  package var issuerOfObject: String? {
    if let id = IndyID(self) { return id.issuer.text }
    guard let issuers = namedIssuers, issuers.count == 1 else { return nil }
    return issuers[0]
  }

  /// The name in a schema id of Indy, also in libindy's form with a prefix: the last part but one. Nil for any other id.
  package var schemaNameOfIndy: String? {
    let isQualified = hasPrefix("did:indy:")
    let parts = split(separator: isQualified ? "/" : ":", omittingEmptySubsequences: false)
    guard (isQualified ? [6] : [4, 6, 8]).contains(parts.count), !parts[parts.count - 2].isEmpty,
      parts[parts.count - 3] == (isQualified ? "SCHEMA" : "2")
    else { return nil }
    return String(parts[parts.count - 2])
  }

  /// Whether the id tells whose object it is. If not, only the registry vouches for the issuer.
  package var namesIssuer: Bool { IndyID(self) != nil || namedIssuers != nil }

  /// The issuers that an id of a method other than Indy's can have: the values that its object's `issuerId` may take.
  /// Nil if the id names no issuer, such as the URL of a web page: then only the registry vouches for the issuer.
  package var namedIssuers: [String]? {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 4, ["schema", "creddef", "revreg"].contains(parts[0]), parts[2] == "did" {
      let did = parts[2...4].joined(separator: ":")
      return parts[3] == "sov" ? [did, String(parts[4])] : [did]
    }
    guard parts[0].lowercased() == "did", parts.count > 2 else { return nil }
    if let end = firstIndex(where: { "/?#;".contains($0) }) { return [String(self[..<end])] }
    return (3...parts.count).map { parts[..<$0].joined(separator: ":") }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (0x41...0x5a).contains(self & ~0x20) }
}
