internal import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Sodium

/// The parts of a credential that applications read.
extension Credential {
  /// The message that brought the credential, as JSON text, or in the form of version 3.0 of the API. It has nothing that a
  /// reader could take for another credential. Throws unless the credential is stored.
  package func message(asVersion3 isVersion3: Bool) throws -> String {
    let finished = try requireStored()
    let content = try finished.message.content()
    guard isVersion3 else { return finished.message.attaching(only: content).json.text }
    let inner: JSON = [
      "libindy_cred": .string(content.text), "rev_reg_def_json": "",
      "cred_def_id": try content.json()["cred_def_id"] ?? .null, "msg_type": "CRED", "claim_offer_id": .string(thread),
      "version": "0.1", "from_did": "",
    ]
    let outer: JSON = ["credential_id": .string(finished.id), "credential": .string(inner.text)]
    return outer.text
  }

  /// The wallet's information about the credential: `{"referent", "attrs", "schema_id", "cred_def_id", "rev_reg_id",
  /// "cred_rev_id"}`.
  package func info(with session: Session) throws -> String {
    try session.credentials.credential(requireStored(with: session)).held.info
  }

  /// Whether the issuer has revoked the credential, from the registry's present state.
  package func isRevoked(with session: Session) throws -> Bool {
    try session.credentialHolder().isRevoked(requireStored(with: session))
  }

  /// Deletes the credential from the wallet, and closes its mailbox if it came without a connection. The object stays as
  /// it is. After a failure there is no credential: this closes the mailbox and throws.
  package func delete(with session: Session) throws {
    guard case .finished(let finished) = machine.state else { throw ExchangeError.notReady }
    if let id = finished.credentialID {
      if let message = finished.credential { try session.credentials.require(id, isOf: message.content().json()) }
      try session.credentials.delete(id)
      Log.info("credential \(id) is deleted")
    }
    AnswerMailboxes(of: session).close(thread, answering: machine.offer)
    if finished.credentialID == nil { throw ExchangeError.ended }
  }

  /// A proposal to present all attributes of the credential, as JSON text.
  package func presentationProposal(with session: Session) throws -> String {
    let credential = try session.credentials.credential(requireStored(with: session)).held.content
    let preview = PresentationPreview(
      attributes: credential.attributes.map {
        PresentationPreview.Attribute(name: $0.spelling, definitionID: credential.definitionID)
      })
    let proposal = PresentProofMessage(
      proposing: preview, comment: machine.offer?.comment, id: .randomUUID(), thread: nil,
      in: Dialect(ProofStep.family, 1), .indy)
    return proposal.json.text
  }

  /// The report that ended the exchange, as JSON text; `null` if there is none.
  package var problemReport: String {
    guard case .finished(let finished) = machine.state, let report = finished.status.report else { return "null" }
    return report.json.text
  }

  /// The stored credential. Throws before it is stored, and after a failure.
  private func requireStored() throws(ExchangeError) -> (id: String, message: IssueCredentialMessage) {
    guard case .finished(let finished) = machine.state else { throw .notReady }
    guard case .succeeded = finished.status, let id = finished.credentialID, let message = finished.credential else {
      throw .ended
    }
    return (id, message)
  }
}

extension Credential {
  /// The id of the stored credential. Throws if the wallet has none, or another one, under this id.
  private func requireStored(with session: Session) throws -> String {
    let stored = try requireStored()
    try session.credentials.require(stored.id, isOf: stored.message.content().json())
    return stored.id
  }
}

extension Credential {
  /// An offer in the form for applications: `{"name", "attributes", "cred_def_id", "schema_id", "thid"}`.
  package static func summary(ofOffer text: String) throws -> String {
    try CredentialOffer(JSON(parsing: text)).summary.text
  }
}
