internal import AnonCreds
internal import Credentials
internal import Logging
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

/// The public objects of the session's registries, for verdicts. They distinguish an object that does not exist, or
/// that nobody can use, from an object that is not available now.
private struct VerifiedObjects: PublicObjectSource {
  let registries: Registries

  func schema(_ id: String) throws -> String { try existing { try registries.schema(id).text } }

  func definition(_ id: String) throws -> String { try existing { try registries.definitionNamingSchema(id).text } }

  func registry(_ id: String) throws -> String { try existing { try registries.revocationRegistry(id).text } }

  func statusList(_ id: String, at time: Int64) throws -> String {
    try existing { try registries.statusList(of: id, at: time).text }
  }

  func canonical(_ id: String) -> String { registries.canonical(id) }

  /// Without any registry, this side cannot decide. If there are registries and none could have the id, no object has
  /// it.
  private func existing(_ fetch: () throws -> String) throws -> String {
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
