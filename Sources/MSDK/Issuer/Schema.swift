internal import Credentials
internal import Indy
internal import JSON
internal import Logging
internal import Registry

/// The attributes of a kind of credential, under an id that everybody can read.
package struct Schema: Sendable {
  package let sourceID: String
  package let id: String
  let name: String
  let version: String
  /// The names of the attributes, in the order of the caller. Ledgers do not keep an order.
  let attributes: [String]
  package private(set) var isPublished: Bool {
    didSet { keeping.noteChange() }
  }
  package var keeping = Keeping()

  /// The most attributes in a schema, a limit of Indy's ledgers.
  private static let mostAttributes = 125

  /// An unpublished schema of the issuer `did`, a DID of Indy or of did:webvh. `names` is a JSON array.
  package init(sourceID: String, name: String, version: String, attributes names: String, issuer did: String) throws {
    self.sourceID = sourceID
    self.name = name
    self.version = version
    attributes = try Self.attributes(names)
    id = try Self.id(ObjectNaming(issuer: did), name, version, attributes)
    isPublished = false
    try check()
  }

  private static func id(
    _ naming: ObjectNaming, _ name: String, _ version: String, _ attributes: [String]
  ) throws -> String {
    switch naming {
    case .indy(let issuer):
      let id = IndyID(issuer, .schema(name: name, version: version))
      // Ledgers accept ids that no reader could divide into their parts.
      guard id.isReadable else {
        throw IssuingError.invalidSchema("its name is empty, or has a character that separates the parts of an id")
      }
      return id.text
    case .content(let issuer, let id): return try id(engineForm(issuer, name, version, attributes))
    }
  }

  /// Fetches the schema with this id.
  package init(sourceID: String, fetching id: String, with session: Session) throws {
    let object = try session.registries.schema(id).json.requireObject()
    self.sourceID = sourceID
    self.id = id
    name = try object.string("name")
    version = try object.string("version")
    attributes = try object.strings("attrNames")
    isPublished = true
  }

  private static func attributes(_ text: String) throws(IssuingError) -> [String] {
    guard let json = try? JSON(parsing: text), let array = json.array else { throw .malformedNames("no JSON array") }
    let names = array.compactMap(\.string)
    guard names.count == array.count else { throw .malformedNames("one of them is not a text") }
    return names
  }

  /// Throws if the version or the attributes are not permitted.
  private func check() throws(IssuingError) {
    guard version.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
      version.contains(where: { $0 != "." })
    else { throw .invalidSchema("its version does not consist of digits and dots") }
    guard (1...Self.mostAttributes).contains(attributes.count) else {
      throw .invalidSchema("it has \(attributes.count) attributes, and 1 to \(Self.mostAttributes) are permitted")
    }
    let names = attributes.map(AttributeName.init)
    // Swift's strings are equal across Unicode's normal forms. The engine confuses the values of such names.
    guard Set(names.map(\.text)).count == names.count, names.allSatisfy({ !$0.text.isEmpty }) else {
      throw .invalidSchema("two of its attributes have the same name, or one has none")
    }
    guard Set(names).isDisjoint(with: AttributeName.linkSecrets) else {
      throw .invalidSchema("one of its attributes has the name of the link secret, which every credential has")
    }
  }
}

// MARK: - Publishing

extension Schema {
  /// Publishes the schema.
  package mutating func publish(with session: Session) throws {
    try session.registries.publish(engineForm, .schema, id)
    isPublished = true
    Log.info("schema \(id) is published")
  }

  /// A transaction that publishes the schema, signed for an endorser, as JSON text.
  package func transaction(for endorser: String, with session: Session) throws -> String {
    try session.registries.prepare(engineForm, .schema, id, for: endorser)
  }

  /// Looks whether the registry has the schema. If it cannot look, nothing changes.
  package mutating func update(with session: Session) {
    guard !isPublished else { return }
    isPublished = (try? session.registries.schema(id)) != nil
  }

  private var engineForm: JSON { Self.engineForm(id.issuerOfObject, name, version, attributes) }

  private static func engineForm(_ issuer: String?, _ name: String, _ version: String, _ attributes: [String]) -> JSON {
    [
      "issuerId": JSON(issuer), "name": .string(name), "version": .string(version), "attrNames": JSON(attributes),
    ]
  }

  /// 1 for a published schema, otherwise 0.
  package var state: UInt32 { isPublished ? 1 : 0 }
}

// MARK: - Stored

extension Schema {
  /// The schema as JSON text, in the form of Evernym's library.
  package func serialized() -> String {
    PublicObjectState.text(with: members, keptAs: keeping.id)
  }

  /// The members of the schema as JSON text, which `vcx_schema_get_attributes` gives.
  package var description: String { members.text }

  private var members: JSON {
    [
      "data": JSON(attributes), "version": .string(version), "schema_id": .string(id), "name": .string(name),
      "source_id": .string(sourceID), "payment_txn": nil, "state": .integer(Int64(state)),
    ]
  }

  /// Restores a schema. Needs neither wallet nor network.
  package init(serialized text: String) throws {
    let (data, objectID) = try PublicObjectState.parts(of: text)
    sourceID = try data.string("source_id")
    id = try data.string("schema_id")
    name = try data.string("name")
    version = try data.string("version")
    attributes = try data.strings("data")
    isPublished = try PublicObjectState.isPublished(data)
    keeping = Keeping(restored: objectID)
  }
}
