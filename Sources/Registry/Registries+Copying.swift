internal import JSON

// Copies of public objects in a folder. The folder serves as a registry of them under the same ids, also after their ledger
// or their server has ended.

extension Registries {
  /// Copies a schema. Throws `exists` if the folder has another object under this id, as the other functions do.
  package func copy(schema id: String, to folder: FileRegistry) throws {
    try folder.add(schema(id).json, .schema, id)
  }

  /// Copies a credential definition, with the id of its schema.
  package func copy(definition id: String, to folder: FileRegistry) throws {
    try folder.add(definitionNamingSchema(id).json, .definition, id)
  }

  /// Copies a revocation registry, its newest status list and its tails file, which is at the path `tails` on this machine.
  ///
  /// If the folder has a base of tails files, the copy names the place below it, and otherwise the issuer's place.
  package func copy(revocationRegistry id: String, tails path: String, hash: String, to folder: FileRegistry) throws {
    var registry = try revocationRegistry(id).json
    let list = try newestStatusList(of: id).json
    let place = try naming(.tails, id) { () throws(PublicationError) in
      try folder.publish(tails: path, hash: hash, of: id)
    }
    if folder.tailsBase != nil { registry["value"]?["tailsLocation"] = .string(place) }
    try folder.add(registry, .revocationRegistry, id)
    try naming(.statusList, id) { () throws(PublicationError) in try folder.add(statusList: list, of: id) }
  }
}

extension FileRegistry {
  fileprivate func add(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationFailure) {
    try naming(.object(kind), id) { () throws(PublicationError) in try publish(object, kind, id) }
  }

  /// Adds a status list with its time, unless the folder has this list or a later one.
  fileprivate func add(statusList list: JSON, of id: String) throws(PublicationError) {
    try change(StatusLists.path(of: id), limit: StatusLists.limit) { (content) throws(PublicationError) in
      try reading(id, PublicationError.unreachable) { () throws(JSONError) -> [UInt8]? in
        guard let lists = try content.flatMap({ (bytes) throws(JSONError) in try StatusLists(bytes) }) else {
          return StatusLists.text(nil, adding: list)
        }
        let isLater = try lists.last().timestamp < list.requireObject().integer("timestamp")
        return isLater ? StatusLists.text(lists, adding: list) : nil
      }
    }
  }
}

private func naming<Value>(
  _ kind: PublicationFailure.Kind, _ id: String, _ body: () throws(PublicationError) -> Value
) throws(PublicationFailure) -> Value {
  do { return try body() } catch { throw PublicationFailure(kind, id, error) }
}
