internal import AnonCreds
internal import Credentials
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

/// The public objects of the session's registries, for verdicts: an object that does not exist is told from one that
/// cannot be had now.
private struct VerifiedObjects: PublicObjectSource {
  let registries: Registries

  func schema(_ id: String) throws -> String { try existing { try registries.schema(id).text } }

  func definition(_ id: String) throws -> String { try existing { try registries.definitionNamingSchema(id).text } }

  func registry(_ id: String) throws -> String { try existing { try registries.revocationRegistry(id).text } }

  func statusList(_ id: String, at time: Int64) throws -> String {
    try existing { try registries.statusList(of: id, at: time).text }
  }

  private func existing(_ fetch: () throws -> String) throws -> String {
    do { return try fetch() } catch let failure as RegistryFailure where failure.error == .notFound {
      throw CredentialsError.absentObject
    }
  }
}
