package import JSON

// The publication of this program's own objects, in the registry that takes their ids.

extension Registries {
  /// The number of a published schema, which the ids of its definitions contain.
  package func number(ofSchema id: String) throws(PublicationFailure) -> Int64 {
    try publishing(.object(.schema), id) { (publisher) throws(PublicationError) in try publisher.number(ofSchema: id) }
  }

  /// Publishes an object that never changes, and remembers it.
  package func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationFailure) {
    try publishing(.object(kind), id) { (publisher) throws(PublicationError) in
      try publisher.publish(object, kind, id)
    }
    keep(published: object, kind, id)
  }

  /// Publishes the status of a revocation registry.
  package func publish(_ update: StatusUpdate) throws(PublicationFailure) {
    try publishing(.statusList, update.registryID) { (publisher) throws(PublicationError) in
      try publisher.publish(update)
    }
    forgetStatus(of: update.registryID)
  }

  /// Publishes the tails file of a revocation registry, on the tails server if there is one. `definitionID` is the id of the
  /// registry's credential definition.
  ///
  /// Returns the place from which holders fetch it.
  package func publish(
    tails path: String, hash: String, of definitionID: String
  ) throws(PublicationFailure) -> String {
    try publishing(.tails, definitionID) { (publisher) throws(PublicationError) in
      if let tailsServer { return try tailsServer.publish(path, hash: hash) }
      return try publisher.publish(tails: path, hash: hash, of: definitionID)
    }
  }

  /// A transaction that publishes an object, signed for an endorser, as JSON text.
  package func prepare(
    _ object: JSON, _ kind: ObjectKind, _ id: String, for endorser: String
  ) throws(PublicationFailure) -> String {
    try publishing(.object(kind), id) { (publisher) throws(PublicationError) in
      try publisher.prepare(object, kind, id, for: endorser)
    }
  }

  /// A transaction that publishes the status of a revocation registry, signed for an endorser, as JSON text.
  package func prepare(_ update: StatusUpdate, for endorser: String) throws(PublicationFailure) -> String {
    try publishing(.statusList, update.registryID) { (publisher) throws(PublicationError) in
      try publisher.prepare(update, for: endorser)
    }
  }

  /// Signs the transaction of another author and publishes it.
  package func endorse(_ transaction: IndyTransaction) throws(PublicationFailure) {
    try publishing(.transaction, transaction.author) { (publisher) throws(PublicationError) in
      try publisher.endorse(transaction)
    }
  }

  private func publishing<Value>(
    _ kind: PublicationFailure.Kind, _ id: String, _ body: (any Publisher) throws(PublicationError) -> Value
  ) throws(PublicationFailure) -> Value {
    do throws(PublicationError) {
      guard let publisher = publisher(id) else { throw .notConfigured }
      return try body(publisher)
    } catch {
      throw PublicationFailure(kind, id, error)
    }
  }
}
