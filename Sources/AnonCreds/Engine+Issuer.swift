internal import CAnonCreds
package import Sodium

/// A credential definition with the keys that only its issuer has.
package struct NewDefinition: Sendable {
  package let definition: String
  package let privateKey: SecretBytes
  /// The proof that the keys are well made; part of every offer.
  package let keyProof: String
}

/// A revocation registry with the key that only its issuer has. The definition names the place of the tails file.
package struct NewRegistry: Sendable {
  package let definition: String
  package let privateKey: SecretBytes
}

/// The place of a credential in a revocation registry, with the issuer's inputs for it.
package struct RegistryPlace: Sendable {
  package let registry: String
  package let privateKey: SecretBytes
  package let statusList: String
  /// Counted from 1.
  package let index: Int64

  package init(registry: String, privateKey: SecretBytes, statusList: String, index: Int64) {
    self.registry = registry
    self.privateKey = privateKey
    self.statusList = statusList
    self.index = index
  }
}

extension Engine {
  package func createSchema(
    name: String, version: String, issuer: String, attributes: [String]
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let attributes = memory.texts(attributes)
      return try memory.newJSON { functions.createSchema(name, version, issuer, attributes, $0) }
    }
  }

  /// A definition with new keys. Takes seconds.
  package func createDefinition(
    schemaID: String, schema: String, tag: String, issuer: String, isRevocable: Bool
  ) throws(AnonCredsError) -> NewDefinition {
    try withMemory { memory throws(AnonCredsError) in
      let schema = try memory.object(schema, functions.schema)
      var (definition, privateKey, proof) = (0, 0, 0)
      try checkOnce {
        functions.createDefinition(
          schemaID, schema, tag, issuer, "CL", isRevocable ? 1 : 0, &definition, &privateKey, &proof)
      }
      return NewDefinition(
        definition: try memory.json(of: memory.adopt(definition)),
        privateKey: try memory.secretJSON(of: memory.adopt(privateKey)),
        keyProof: try memory.json(of: memory.adopt(proof)))
    }
  }

  package func createOffer(
    schemaID: String, definitionID: String, keyProof: String
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let proof = try memory.object(keyProof, functions.keyProof)
      return try memory.newJSON { functions.createOffer(schemaID, definitionID, proof, $0) }
    }
  }

  /// The credential for `request`, which answers `offer`. `values` has the raw value of each attribute; the library
  /// encodes them. `place` is nil for a credential that cannot be revoked.
  package func createCredential(
    definition: String, privateKey: SecretBytes, offer: String, request: String, values: [String: String],
    place: RegistryPlace? = nil
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let definition = try memory.object(definition, functions.definition)
      let privateKey = try memory.object(privateKey, functions.definitionPrivate)
      let offer = try memory.object(offer, functions.offer)
      let request = try memory.object(request, functions.request)
      let pairs = values.sorted { $0.key < $1.key }
      let (names, raw, encoded) = (memory.texts(pairs.map(\.key)), memory.texts(pairs.map(\.value)), memory.texts([]))
      let revocation = try place.map { (place) throws(AnonCredsError) in memory.copy([try memory.revocation(place)]) }
      return try memory.newJSON {
        functions.createCredential(definition, privateKey, offer, request, names, raw, encoded, revocation, $0)
      }
    }
  }

  /// The encodings of raw values in a credential: decimal, in the order of `values`.
  package func encode(_ values: [String]) throws(AnonCredsError) -> [String] {
    try withMemory { memory throws(AnonCredsError) in
      let values = memory.texts(values)
      let joined = try memory.newText { functions.encodeValues(values, $0) }
      return joined.text.split(separator: ",", omittingEmptySubsequences: true).map(String.init)
    }
  }

  /// A revocation registry for `size` credentials. The library writes the tails file into `tailsFolder`, under the name
  /// of its hash. Takes seconds for large registries.
  package func createRegistry(
    definitionID: String, definition: String, issuer: String, tag: String, size: Int64, tailsFolder: String
  ) throws(AnonCredsError) -> NewRegistry {
    try withMemory { memory throws(AnonCredsError) in
      let definition = try memory.object(definition, functions.definition)
      var (registry, privateKey) = (0, 0)
      try checkOnce {
        functions.createRegistry(
          definition, definitionID, issuer, tag, "CL_ACCUM", size, tailsFolder, &registry, &privateKey)
      }
      return NewRegistry(
        definition: try memory.json(of: memory.adopt(registry)),
        privateKey: try memory.secretJSON(of: memory.adopt(privateKey)))
    }
  }

  /// The first status list of a registry.
  package func createStatusList(
    definition: String, registryID: String, registry: String, privateKey: SecretBytes, issuer: String,
    allAreIssued: Bool, timestamp: Int64
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let definition = try memory.object(definition, functions.definition)
      let registry = try memory.object(registry, functions.registry)
      let privateKey = try memory.object(privateKey, functions.registryPrivate)
      return try memory.newJSON {
        functions.createStatusList(
          definition, registryID, registry, privateKey, issuer, allAreIssued ? 1 : 0, timestamp, $0)
      }
    }
  }

  /// The status list after some credentials were issued, or issued again, and others revoked.
  package func updateStatusList(
    _ list: String, definition: String, registry: String, privateKey: SecretBytes, issued: [Int32], revoked: [Int32],
    timestamp: Int64
  ) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let list = try memory.object(list, functions.statusList)
      let definition = try memory.object(definition, functions.definition)
      let registry = try memory.object(registry, functions.registry)
      let privateKey = try memory.object(privateKey, functions.registryPrivate)
      let (issued, revoked) = (memory.numbers(issued), memory.numbers(revoked))
      return try memory.newJSON {
        functions.updateStatusList(definition, registry, privateKey, list, issued, revoked, timestamp, $0)
      }
    }
  }

  /// The same status list with another timestamp.
  package func updateStatusList(_ list: String, timestamp: Int64) throws(AnonCredsError) -> String {
    try withMemory { memory throws(AnonCredsError) in
      let list = try memory.object(list, functions.statusList)
      return try memory.newJSON { functions.updateTimestamp(timestamp, list, $0) }
    }
  }
}

extension CallMemory {
  fileprivate func revocation(_ place: RegistryPlace) throws(AnonCredsError) -> anoncreds_revocation {
    anoncreds_revocation(
      registry: try object(place.registry, functions.registry),
      registry_private: try object(place.privateKey, functions.registryPrivate),
      status_list: try object(place.statusList, functions.statusList), index: place.index)
  }
}
