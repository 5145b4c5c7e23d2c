internal import AnonCreds
internal import Aries
internal import Credentials
internal import DIDComm
internal import Logging
internal import Registry
internal import Time

extension Session {
  /// The credentials in the wallet.
  var credentials: CredentialStore { CredentialStore(wallet: wallet) }

  /// Requests, stores and proves credentials. Throws if there is no engine.
  func credentialHolder() throws -> CredentialHolder {
    CredentialHolder(
      wallet: wallet, linkSecretName: settings.wallet.linkSecretName,
      engine: try engine(), objects: PublishedObjects(registries: registries), tails: tails,
      now: systemClock)
  }

  /// Tails files are in the wallet's directory, and are removed with it.
  var tails: TailsStore {
    TailsStore(directory: "\(wallet.location.directory)/tails") { [self] url, limit in
      try downloadTails(url, limit: limit)
    }
  }

  /// Forgets the request of a failed exchange. A failure to forget it does no harm.
  func forgetRequest(on thread: String, answering offer: IssueCredentialMessage, over route: Route) {
    do { try credentials.forgetRequest(answering: AnsweredOffer(offer.content().text, on: thread, over: route)) } catch
    {
      Log.warning("a credential request could not be forgotten: \(error)")
    }
  }
}

extension AnsweredOffer {
  /// `text` is the offer's attached JSON text, and `route` the way to the issuer.
  init(_ text: String, on thread: String, over route: Route) {
    self.init(text, on: thread, from: route.service.recipientKeys.first?.text ?? "")
  }
}

extension Route {
  /// The connection that brings a credential, and the issuer's keys; nil without a connection.
  var source: CredentialSource? {
    guard case .connection(let connection) = self else { return nil }
    return CredentialSource(
      connection: connection.own.key.did.text, issuerKeys: connection.peer.service.recipientKeys.map(\.text))
  }
}

/// The public objects of the session's registries, as texts for the engine.
private struct PublishedObjects: PublicObjectSource {
  let registries: Registries

  func schema(_ id: String) throws -> String { try registries.schema(id).text }
  func definition(_ id: String) throws -> String { try registries.definition(id).text }
  func definitionNamingSchema(_ id: String) throws -> String { try registries.definitionNamingSchema(id).text }
  func registry(_ id: String) throws -> String { try registries.revocationRegistry(id).text }
  func statusList(_ id: String, at time: Int64) throws -> String { try registries.statusList(of: id, at: time).text }
  func keepListTime(ofRegistry id: String) { registries.keepListTime(of: id) }

  func keep(schema: String, definition: String, registry: String?) {
    registries.keep(schema: schema, definition: definition, registry: registry)
  }
}

extension Registries {
  /// Keeps the objects of a credential.
  func keep(schema: String, definition: String, registry: String?) {
    keep(.schema, schema)
    keep(.definition, definition)
    if let registry { keep(.revocationRegistry, registry) }
  }
}
