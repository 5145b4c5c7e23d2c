package import Sodium

/// The AnonCreds engine, as far as a holder and prover needs it. Objects are JSON texts; every call may take its time.
package protocol HolderEngine: Sendable {
  /// Answers an offer. The metadata stays here: without it the credential is of no use.
  func credentialRequest(
    offer: String, definition: String, linkSecret: SecretBytes, prover: RequestingProver
  ) throws -> (request: String, metadata: String)

  /// Checks a credential and makes it provable. Throws if it was not issued for this request.
  func process(
    credential: String, metadata: String, linkSecret: SecretBytes, definition: String, registry: String?
  ) throws -> String

  /// The revocation state of the credential at a place of a registry, at the time of a status list.
  func revocationState(registry: String, statusList: String, index: Int64, tailsFile: String) throws -> String

  func presentation(_ input: PresentationInput, linkSecret: SecretBytes) throws -> String
}

/// How a credential request tells the prover apart. It names nobody: a DID or number that occurs nowhere else.
package enum RequestingProver: Equatable, Sendable {
  case did(String)
  case entropy(String)

  /// Old issuers insist on a DID; the engine refuses one for a definition whose id has a DID method.
  package init(forDefinition id: String) {
    self = id.isQualifiedID ? .entropy(.randomUUID()) : .did(Base58.encode(randomBytes(16)))
  }
}
