internal import AnonCreds
internal import Indy
package import JSON
internal import Sodium
package import Wallet

/// Requests credentials, stores them and proves them, with the wallet's link secret.
///
/// Calls block: they wait for the engine, the public objects and the wallet.
package struct CredentialHolder: Sendable {
  package let store: CredentialStore
  let wallet: Wallet
  let linkSecretName: String
  let engine: any HolderEngine
  let objects: any PublicObjectSource
  let tails: TailsStore
  /// The time in seconds since 1970.
  let now: @Sendable () -> Int64

  package init(
    wallet: Wallet, linkSecretName: String, engine: any HolderEngine, objects: any PublicObjectSource,
    tails: TailsStore, now: @escaping @Sendable () -> Int64
  ) {
    store = CredentialStore(wallet: wallet)
    self.wallet = wallet
    self.linkSecretName = linkSecretName
    self.engine = engine
    self.objects = objects
    self.tails = tails
    self.now = now
  }

  // MARK: Asking

  /// The definition of the credentials in an offer. It names its schema by an id.
  package func definition(_ id: String) throws -> String { try objects.definitionNamingSchema(id) }

  /// The names of the attributes of an offered schema. Throws `malformedOffer` if the schema cannot be read.
  package func attributes(ofSchema id: String) throws -> [AttributeName] {
    let schema = try objects.schema(id)
    do { return try JSON(parsing: schema).requireObject().strings("attrNames").map(AttributeName.init) } catch {
      throw CredentialsError.malformedOffer("its schema: \(error)")
    }
  }

  /// Answers an offer. Throws `malformedOffer` if the key of the definition, or the offer's proof of the key, cannot be used.
  ///
  /// The wallet keeps the answer as long as the credential. A second call gives the same answer: if a process ended before
  /// it noted that the first answer was sent, it can still use the credential that arrives or has arrived.
  package func request(
    answering offer: AnsweredOffer, definition: String, definitionID: String
  ) throws -> CredentialRequest {
    if let known = try store.request(answering: offer) { return known }
    try OfferedKey(offer: offer.text, definition: definition).check()
    let linkSecret = try wallet.linkSecret(named: linkSecretName)
    let made: (request: String, metadata: String)
    do {
      made = try engine.createRequest(
        offer: offer.text, definition: definition, linkSecret: linkSecret, linkSecretName: linkSecretName,
        identity: RequestIdentity(forDefinition: definitionID))
    } catch AnonCredsError.failed(_, let message) {
      throw CredentialsError.malformedOffer(message)
    }
    let request = CredentialRequest(text: made.request, metadata: made.metadata)
    return try store.keep(request, answering: offer)
  }

  // MARK: Storing

  /// Checks the signature of a credential and stores it under the thread of its exchange. The caller has compared it
  /// with `offer`. `source` is the connection that brought it, `format` names the format in which it came, and
  /// `display` has the parts of the offer that are for people. Throws `malformedCredential` with the reason if the
  /// credential could not be proved.
  package func accept(
    _ credential: String, metadata: String, definition: String, answering offer: AnsweredOffer, on thread: String,
    from source: CredentialSource?, in format: String? = nil, display: JSON? = nil
  ) throws {
    let received = try ReceivedCredential(parsing: credential)
    try received.check(against: definition)
    let content = received.content
    let registry = try content.registryID.map { id in try RegistryDefinition(parsing: objects.registry(id)) }
    if let registry { try content.check(registry: registry, of: definition) }
    let processed: String
    do {
      processed = try engine.process(
        credential: credential, metadata: metadata, linkSecret: wallet.linkSecret(named: linkSecretName),
        definition: definition, registry: registry?.text)
    } catch AnonCredsError.failed(_, let message) {
      throw CredentialsError.malformedCredential(message)
    }
    try ReceivedCredential(parsing: processed).checkNumbers()
    try store.store(
      processed, as: thread, answering: offer, schema: schemaName(content.schemaID),
      issuer: issuer(content.definitionID, definition),
      with: CredentialFacts(source: source, format: format, received: now(), display: display))
    objects.keep(schema: content.schemaID, definition: content.definitionID, registry: content.registryID)
  }

  private func schemaName(_ id: String) throws -> SchemaName {
    if let name = SchemaName(id: id) { return name }
    let schema = try JSON(parsing: objects.schema(id)).requireObject()
    return SchemaName(
      issuer: try schema.string("issuerId"), name: try schema.string("name"), version: try schema.string("version"))
  }

  private func issuer(_ id: String, _ definition: String) throws -> String {
    if let issuer = IndyID(id)?.issuer.text { return issuer }
    return try JSON(parsing: definition).requireObject().string("issuerId")
  }

  // MARK: Showing

  /// The credentials of the wallet that can answer each item of a proof request.
  package func selection(for request: String) throws -> Selection {
    try Selection(for: ProofRequest(received: request), among: store.all())
  }

  /// The presentation for `request`, the attached JSON text, with the user's choice.
  package func presentation(for request: String, showing choice: ChosenCredentials) throws -> String {
    let plan = try PresentationPlan(choice, for: ProofRequest(received: request))
    var presentation = PresentationDraft()
    for group in plan.groups {
      let credential = try chosen(group.credential)
      let evidence = try evidence(for: credential.held, in: group)
      try presentation.add(group, credential: credential.text, evidence: evidence)
      let (schema, definition) = (credential.held.content.schemaID, credential.held.content.definitionID)
      try presentation.needSchema(schema, objects.schema)
      try presentation.needDefinition(definition, objects.definition)
    }
    return try engine.createPresentation(
      request: request, credentials: presentation.credentials,
      selfAttested: Dictionary(
        plan.selfAttested.map { ($0.referent, $0.value) }, uniquingKeysWith: { first, _ in first }),
      linkSecret: wallet.linkSecret(named: linkSecretName), objects: presentation.objects)
  }

  /// A credential of the user's choice. The choice is at fault if the wallet does not have the credential.
  private func chosen(_ id: String) throws -> (text: String, held: HeldCredential) {
    do { return try store.credential(id) } catch CredentialsError.notFound {
      throw CredentialsError.malformedSelection("the wallet has no such credential")
    }
  }
}
