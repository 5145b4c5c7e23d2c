package import AnonCreds
package import Sodium

/// The part of the AnonCreds engine that a holder and prover needs. Objects are JSON texts.
package protocol HolderEngine: Sendable {
  func createRequest(
    offer: String, definition: String, linkSecret: SecretBytes, linkSecretName: String, identity: RequestIdentity
  ) throws(AnonCredsError) -> (request: String, metadata: String)

  func process(
    credential: String, metadata: String, linkSecret: SecretBytes, definition: String, registry: String?
  ) throws(AnonCredsError) -> String

  func createRevocationState(
    registry: String, statusList: String, index: Int64, tailsFile: String,
    former: (state: String, statusList: String)?
  ) throws(AnonCredsError) -> String

  func createPresentation(
    request: String, credentials: [PresentedCredential], selfAttested: [String: String], linkSecret: SecretBytes,
    objects: PublicObjects
  ) throws(AnonCredsError) -> String
}

extension Engine: HolderEngine {}

extension RequestIdentity {
  /// An identity that names nobody and occurs only once. Older issuers require a DID; the engine refuses one for a
  /// definition whose id has a DID method.
  init(forDefinition id: String) {
    self = id.isQualifiedID ? .entropy(.randomUUID()) : .proverDID(Base58.encode(randomBytes(16)))
  }
}
