internal import Indy
internal import JSON

// Checks that an answer is the requested object. A registry may err or lie: a schema of another issuer, or the status
// list of another registry, would change the meaning of a proof without its reader's knowledge.

/// The seconds by which the clocks of ledgers, of other issuers and of this machine may differ.
let clockTolerance: Int64 = 300

extension JSON {
  /// Throws unless this is the object with the kind and the id, as far as the object and the id show it.
  func check(_ kind: ObjectKind, _ id: String) throws(RegistryError) {
    do {
      let object = try requireObject()
      switch kind {
      case .schema: try object.checkSchema(id)
      case .definition: try object.checkDefinition(id)
      case .revocationRegistry: try object.checkRevocationRegistry(id)
      }
    } catch let error as RegistryError {
      throw error
    } catch {
      throw .invalid("\(error)")
    }
  }

  /// Throws unless this is a status list of the registry, in force at `time`, with room for `size` credentials.
  func checkStatusList(of id: String, at time: Int64, size: Int64) throws(RegistryError) {
    do {
      let object = try requireObject()
      try require(try object.string("revRegDefId"), "revRegDefId", id)
      _ = try object.string("currentAccumulator")
      let (latest, isEver) = time.addingReportingOverflow(clockTolerance)
      let timestamp = try object.integer("timestamp")
      guard isEver || timestamp <= latest else {
        throw RegistryError.invalid("the status list is of a later time than was asked for")
      }
      let list = try object.array("revocationList")
      guard list.count >= size, list.allSatisfy({ $0 == .integer(0) || $0 == .integer(1) }) else {
        throw RegistryError.invalid("the status list does not have \(size) entries of 0 or 1")
      }
    } catch let error as RegistryError {
      throw error
    } catch {
      throw .invalid("\(error)")
    }
  }
}

extension JSONObject {
  /// Throws if the id names its issuer, and this is another issuer.
  private func checkIssuer(_ issuer: String, _ id: String) throws(RegistryError) {
    guard let named = id.namedIssuers, !named.contains(where: issuer.isExactly) else { return }
    throw .invalid("\"issuerId\" is not the issuer that the id names")
  }

  fileprivate func checkSchema(_ id: String) throws {
    let (issuer, name, version) = (try string("issuerId"), try string("name"), try string("version"))
    _ = try strings("attrNames")
    guard let expected = IndyID(id) else { return try checkIssuer(issuer, id) }
    guard case .schema(let expectedName, let expectedVersion) = expected.object else {
      throw RegistryError.invalid("the id is not that of a schema")
    }
    try require(issuer, "issuerId", expected.issuer.text)
    try require(name, "name", expectedName)
    try require(version, "version", expectedVersion)
  }

  fileprivate func checkDefinition(_ id: String) throws {
    let (issuer, tag, schema) = (try string("issuerId"), try string("tag"), try string("schemaId"))
    try require(try string("type"), "type", "CL")
    _ = try object("value").object("primary")
    guard let expected = IndyID(id) else { return try checkIssuer(issuer, id) }
    guard case .definition(let expectedSchema, let expectedTag) = expected.object else {
      throw RegistryError.invalid("the id is not that of a credential definition")
    }
    try require(issuer, "issuerId", expected.issuer.text)
    try require(tag, "tag", expectedTag)
    // Only ids can be compared: a schema does not contain its number.
    if IndyID(expectedSchema) != nil, IndyID(schema) != nil {
      try require(schema, "schemaId", expectedSchema)
    }
  }

  fileprivate func checkRevocationRegistry(_ id: String) throws {
    let (definition, tag) = (try string("credDefId"), try string("tag"))
    try require(try string("revocDefType"), "revocDefType", "CL_ACCUM")
    guard try object("value").integer("maxCredNum") > 0 else {
      throw RegistryError.invalid("\"maxCredNum\" is not positive")
    }
    guard let expected = IndyID(id) else { return try checkIssuer(try string("issuerId"), id) }
    guard case .revocationRegistry(let expectedDefinition, let expectedTag) = expected.object else {
      throw RegistryError.invalid("the id is not that of a revocation registry")
    }
    try require(try string("issuerId"), "issuerId", expected.issuer.text)
    try require(definition, "credDefId", expectedDefinition)
    try require(tag, "tag", expectedTag)
  }
}

private func require(_ value: String, _ name: String, _ expected: String) throws(RegistryError) {
  guard value.isExactly(expected) else { throw .invalid("\"\(name)\" is not \(expected)") }
}
