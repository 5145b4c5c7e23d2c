/// The id of an object that an issuer publishes, in one of Indy's two forms: the older form, which begins with a bare
/// DID, and the form of `did:indy`.
package struct IndyID: Equatable, Sendable {
  package let issuer: IndyDID
  package let object: Object

  package enum Object: Equatable, Sendable {
    case schema(name: String, version: String)
    /// `schema` is the schema's number in its ledger, or its id.
    case definition(schema: String, tag: String)
    /// `definition` is the id of the definition.
    case revocationRegistry(definition: String, tag: String)
  }

  package init(_ issuer: IndyDID, _ object: Object) {
    self.issuer = issuer
    self.object = object
  }

  /// The tag of a definition or a revocation registry.
  package var tag: String? {
    switch object {
    case .schema: nil
    case .definition(_, let tag), .revocationRegistry(_, let tag): tag
    }
  }

  /// The id in the form that the issuer's DID decides.
  package var text: String { issuer.network == nil ? onLedger : qualified }

  /// Whether the id can be read again in both forms: its names are not empty, and contain no character that separates
  /// the parts of an id.
  package var isReadable: Bool {
    names.allSatisfy { !$0.isEmpty && !$0.contains(":") && (issuer.network == nil || !$0.contains("/")) }
  }

  /// The parts that the issuer has chosen.
  private var names: [String] {
    switch object {
    case .schema(let name, let version): [name, version]
    case .definition(_, let tag), .revocationRegistry(_, let tag): [tag]
    }
  }

  /// The id in the older form, the only form that ledgers know.
  var onLedger: String {
    switch object {
    case .schema(let name, let version): "\(issuer.bare):2:\(name):\(version)"
    case .definition(let schema, let tag): "\(issuer.bare):3:CL:\(schema.onLedger):\(tag)"
    case .revocationRegistry(let definition, let tag): "\(issuer.bare):4:\(definition.onLedger):CL_ACCUM:\(tag)"
    }
  }

  private var qualified: String {
    let path = "\(issuer.text)/anoncreds/v0"
    switch object {
    case .schema(let name, let version): return "\(path)/SCHEMA/\(name)/\(version)"
    case .definition(let schema, let tag): return "\(path)/CLAIM_DEF/\(schema)/\(tag)"
    case .revocationRegistry(let definition, let tag):
      let parts = definition.split(separator: "/", omittingEmptySubsequences: false)
      return "\(path)/REV_REG_DEF/\(parts.suffix(2).joined(separator: "/"))/\(tag)"
    }
  }
}

extension String {
  /// The text in the form of ledgers if it is an id or a DID of Indy; otherwise the unchanged text.
  package var onLedger: String { IndyID(self)?.onLedger ?? IndyDID(self)?.bare ?? self }

  /// Whether two different ids or DIDs of Indy may name one object: their forms on ledgers are the same, and at least
  /// one of them does not name its ledger.
  package func mayBeSameObject(as other: String) -> Bool {
    guard hasPrefix("did:") || other.hasPrefix("did:") else { return false }
    let networks = [self, other].map { IndyID($0)?.issuer.network ?? IndyDID($0)?.network }
    return networks.contains(nil) && onLedger.utf8.elementsEqual(other.onLedger.utf8)
  }
}

// MARK: - Reading

extension IndyID {
  /// Returns nil for ids of other methods, and if a number is not spelled as ledgers spell it: one object would
  /// otherwise have endless ids.
  package init?(_ id: String) {
    if id.hasPrefix("did:indy:") { self.init(qualified: id) } else { self.init(older: id) }
  }

  /// `did:indy:<network>:<id>/anoncreds/v0/<kind>/…`
  private init?(qualified id: String) {
    let parts = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 6, parts[1] == "anoncreds", parts[2] == "v0", let issuer = IndyDID(parts[0]) else {
      return nil
    }
    switch (parts[3], parts.count) {
    case ("SCHEMA", 6): self.init(issuer, .schema(name: parts[4], version: parts[5]))
    case ("CLAIM_DEF", 6) where parts[4].isSequenceNumber:
      self.init(issuer, .definition(schema: parts[4], tag: parts[5]))
    case ("REV_REG_DEF", 7) where parts[4].isSequenceNumber:
      let definition = IndyID(issuer, .definition(schema: parts[4], tag: parts[5]))
      self.init(issuer, .revocationRegistry(definition: definition.text, tag: parts[6]))
    default: return nil
    }
  }

  /// `<DID>:2:<name>:<version>`, `<DID>:3:CL:<schema>:<tag>` or `<DID>:4:<definition>:CL_ACCUM:<tag>`
  private init?(older id: String) {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, let issuer = IndyDID(parts[0]) else { return nil }
    switch (parts[1], parts.count) {
    case ("2", 4): self.init(issuer, .schema(name: parts[2], version: parts[3]))
    case ("3", 5) where parts[2] == "CL" && parts[3].isSequenceNumber:
      self.init(issuer, .definition(schema: parts[3], tag: parts[4]))
    case ("3", 8) where parts[2] == "CL":
      self.init(issuer, .definition(schema: parts[3...6].joined(separator: ":"), tag: parts[7]))
    case ("4", 9...) where parts[parts.count - 2] == "CL_ACCUM":
      let definition = parts[2..<(parts.count - 2)].joined(separator: ":")
      guard case .definition? = IndyID(older: definition)?.object else { return nil }
      self.init(issuer, .revocationRegistry(definition: definition, tag: parts[parts.count - 1]))
    default: return nil
    }
  }
}

extension String {
  /// Whether the text is a number as ledgers write it: `0`, or digits that do not begin with a zero.
  fileprivate var isSequenceNumber: Bool {
    utf8.allSatisfy { (0x30...0x39).contains($0) }
      && (utf8.first != UInt8(ascii: "0") ? !utf8.isEmpty : utf8.count == 1)
  }
}
