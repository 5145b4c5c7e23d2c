internal import AnonCreds
package import JSON
internal import Sodium
internal import Wallet

/// A credential for its holder.
package struct IssuedCredential: Equatable, Sendable {
  /// The engine's object. Nil if an earlier process has issued the credential, and its exchange has ended.
  package let text: String?
  /// Its place in the revocation registry; nil if it cannot be revoked.
  package let index: Int64?
  /// The id of that registry; nil if an older version of msdk has noted the place without it.
  package let registryID: String?
  /// Whether the registry may have unpublished changes that the credential needs.
  package let needsPublication: Bool
}

extension CredentialIssuer {
  /// The message that offers a credential on a thread. `message` makes it from the engine's offer.
  ///
  /// The wallet keeps the message until the exchange ends. A second call gives the same message: the holder's request
  /// fits one offer only. Throws `otherTerms` if that message offers another credential.
  ///
  /// With an id that the message with the offer does not have, the call offers again: the new offer replaces that one.
  /// Throws `otherTerms` if the exchange has already given out a place in a registry, or a credential.
  package func offer(
    of terms: CredentialTerms, on thread: String, id: String? = nil, _ message: (_ offer: String) throws -> JSON
  ) throws -> JSON {
    try wallet.retrying {
      var issuance = try issuance(on: thread) ?? Issuance()
      if let id, issuance.offer?["@id"]?.string != id, issuance.recorded != nil {
        guard issuance.index == nil, issuance.credential == nil, !issuance.isOver else { throw IssuingError.otherTerms }
      } else {
        try issuance.check(terms)
        if let known = issuance.offer { return known }
      }
      let definition = try definition(for: terms)
      let offer = try message(
        engine.createOffer(
          schemaID: definition.schemaID, definitionID: definition.id, keyProof: definition.keyProof))
      (issuance.offer, issuance.terms) = (offer, terms.digest)
      try wallet.make(noting(issuance, on: thread))
      return offer
    }
  }

  /// Issues the credential for a request, which answers `offer`; both are attached JSON texts.
  ///
  /// The wallet notes the place in the registry before the credential is made, and keeps the credential until the
  /// exchange ends. A second call with the same request gives the same credential at the same place; another request is
  /// refused. `prepare` is called with the registry's id before a place is used, and may let the issuer learn of other
  /// places with `learn`.
  package func issue(
    _ terms: CredentialTerms, answering request: String, to offer: String, on thread: String,
    prepare: (_ registryID: String) throws -> Void = { _ in }
  ) throws -> IssuedCredential {
    try Self.exchanges.withLock(of: thread) {
      try wallet.retrying { try issueOnce(terms, answering: request, to: offer, on: thread, prepare) }
    }
  }

  /// The credential that was made on a thread, in this process or in an earlier one; nil if there is none.
  package func issued(on thread: String) throws -> IssuedCredential? {
    guard let known = try issuance(on: thread), known.isOver || known.credential != nil else { return nil }
    return IssuedCredential(
      text: known.credential, index: known.index, registryID: known.registry, needsPublication: known.index != nil)
  }

  private func issueOnce(
    _ terms: CredentialTerms, answering request: String, to offer: String, on thread: String,
    _ prepare: (_ registryID: String) throws -> Void
  ) throws -> IssuedCredential {
    var issuance = try issuance(on: thread) ?? Issuance()
    try issuance.check(terms)
    let digest = Base58.encode(sha256(Array(request.utf8)))
    if issuance.isOver || issuance.credential != nil {
      try issuance.check(request: digest)
      return IssuedCredential(
        text: issuance.credential, index: issuance.index, registryID: issuance.registry,
        needsPublication: issuance.index != nil)
    }
    let request = try HolderRequest(parsing: request, answering: offer)
    let definition = try definition(for: terms)
    let place = try terms.registryID.map { try givenPlace(in: $0, for: thread, &issuance, prepare) }
    let text = try credential(definition, terms, answering: request.text, to: offer, at: place, on: thread)
    var isOnDemand = false
    if let place, !place.registry.issuesByDefault {
      try noteIssued(place.index, in: place.registry.id)
      isOnDemand = true
    }
    (issuance.credential, issuance.request) = (text, digest)
    try wallet.make(noting(issuance, on: thread))
    return IssuedCredential(
      text: text, index: place?.index, registryID: place?.registry.id, needsPublication: isOnDemand)
  }

  /// The credential's place in a registry: the one that it was given before, or the next. Throws `malformedRevocation` if
  /// the place is revoked by now: another copy of the wallet has issued the credential.
  private func givenPlace(
    in id: String, for thread: String, _ issuance: inout Issuance, _ prepare: (_ registryID: String) throws -> Void
  ) throws -> (registry: OwnRegistry, index: Int64) {
    try prepare(id)
    let index = if let known = issuance.index { known } else { try allocate(in: id, for: thread, &issuance) }
    let registry = try registry(id)
    guard !registry.issuesByDefault || !registry.isRevoked(index) else {
      throw IssuingError.malformedRevocation("the place \(index) of this credential is revoked")
    }
    return (registry, index)
  }

  /// Makes the credential. If the request is not genuine, its place is free again.
  private func credential(
    _ definition: OwnDefinition, _ terms: CredentialTerms, answering request: String, to offer: String,
    at place: (registry: OwnRegistry, index: Int64)?, on thread: String
  ) throws -> String {
    let registryPlace = place.map { registry, index in
      RegistryPlace(
        registry: registry.text, privateKey: registry.privateKey, statusList: registry.statusList().text, index: index)
    }
    do {
      return try engine.createCredential(
        definition: definition.text, privateKey: definition.privateKey, offer: offer, request: request,
        values: terms.values, place: registryPlace)
    } catch {
      let fault = Self.fault(error)
      if let place, case .malformedRequest? = fault as? IssuingError {
        try giveBack(place.index, in: place.registry.id, from: thread)
      }
      throw fault
    }
  }

  /// The engine refuses only a wrong request, since everything else comes from the wallet.
  private static func fault(_ error: any Error) -> any Error {
    guard case .failed(let code, let message)? = error as? AnonCredsError, code != .io else { return error }
    return IssuingError.malformedRequest(message)
  }
}
