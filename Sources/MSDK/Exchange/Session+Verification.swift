internal import AnonCreds
internal import Credentials
internal import Logging
internal import Platform
internal import Registry
internal import Time

extension Session {
  /// Verifies presentations. Throws if there is no engine.
  func presentationVerifier() throws -> PresentationVerifier {
    PresentationVerifier(
      engine: try engine(), objects: VerifiedObjects(registries: registries), isStrict: settings.strictNonRevocation,
      now: systemClock)
  }
}

/// The public objects of the session's registries, for one verdict. They distinguish an object that does not exist, or
/// that nobody can use, from an object that is not available now.
struct VerifiedObjects: PublicObjectSource {
  let registries: Registries
  /// The end of the time for objects that the prover's own servers may answer with. Such a server could otherwise hold the
  /// thread of a verdict for hours.
  private let end: MonotonicTime

  init(registries: Registries, milliseconds: Int = 20_000) {
    self.registries = registries
    end = .now.after(milliseconds: milliseconds)
  }

  func schema(_ id: String) throws -> String { try existing(.schema, id) { try registries.schema(id).text } }

  func definition(_ id: String) throws -> String {
    try existing(.definition, id) { try registries.definitionNamingSchema(id).text }
  }

  func registry(_ id: String) throws -> String {
    try existing(.revocationRegistry, id) { try registries.revocationRegistry(id).text }
  }

  func statusList(_ id: String, at time: Int64) throws -> String {
    try existing(.revocationRegistry, id) { try registries.statusList(of: id, at: time).text }
  }

  func canonical(_ id: String) -> String { registries.canonical(id) }

  func keepListTime(ofRegistry id: String) { registries.keepListTime(of: id) }

  func keep(schema: String, definition: String, registry: String?) {
    registries.keep(schema: schema, definition: definition, registry: registry)
  }

  /// Without any registry, this side cannot decide. If there are registries and none could have the id, no object has
  /// it. After the time limit it cannot decide either: the objects that have come are remembered, so a later attempt goes
  /// on.
  private func existing(_ kind: ObjectKind, _ id: String, _ fetch: () throws -> String) throws -> String {
    guard MonotonicTime.now <= end || !registries.isOpenToAll(id) else {
      throw RegistryFailure(kind, id, .unreachable("the objects of the presentation take too long"))
    }
    do { return try fetch() } catch let failure as RegistryFailure {
      switch failure.error {
      case .notFound: throw CredentialsError.absentObject
      case .notConfigured where registries.isConfigured: throw CredentialsError.absentObject
      case .invalid:
        Log.warning("presentation: \(failure)")
        throw CredentialsError.unusableObject("\(failure)")
      case .notConfigured, .unreachable: throw failure
      }
    }
  }
}
