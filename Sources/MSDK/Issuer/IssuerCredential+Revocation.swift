internal import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Sodium
internal import Time

extension IssuerCredential {
  /// The place of the issued credential in its registry, and whether it is revoked, as JSON text: `{"rev_reg_id",
  /// "cred_rev_id", "revoked"}`. The ids are null for a credential that cannot be revoked. Throws before it is issued.
  package func revocationPlace() throws(ExchangeError) -> String {
    guard let delivery = machine.delivery else { throw .notReady }
    let place: JSON = [
      "rev_reg_id": JSON(delivery.place?.registryID), "cred_rev_id": JSON(delivery.place.map { String($0.index) }),
      "revoked": .bool(delivery.revoked != nil),
    ]
    return place.text
  }

  /// Revokes the credential, publishes the revocation, and tells the holder. A repeated call does nothing. A holder who
  /// has refused a credential after receiving it may have kept it, so such a credential can be revoked too. The same holds for a
  /// credential whose delivery has failed: the holder's server may have taken it in before it answered with an error.
  ///
  /// If the publication fails, the revocation stays in the wallet: the next call publishes it. Revocations in the same
  /// registry that are made during a publication are published together.
  package mutating func revoke(with session: Session) throws {
    _ = try noteEarlierCredential(with: session)
    guard let delivery = machine.delivery else { throw ExchangeError.notReady }
    guard let place = delivery.place else {
      throw IssuingError.malformedRevocation("this credential was issued without its revocation index")
    }
    guard delivery.revoked == nil else { return }
    try session.credentialIssuer().revoke(place.index, in: place.registryID)
    try session.publishPending(of: place.registryID)
    Log.info("the credential at \(place.index) of \(place.registryID) is revoked")
    let version = session.settings.issuing.notification.version(for: machine.offer?.dialect.major ?? 1)
    try step(over: delivery.route, with: session) { machine in
      machine.revoke(at: systemClock(), notifying: version, id: .randomUUID())
    }
  }
}
