internal import Aries
internal import Credentials
internal import JSON
internal import Logging
internal import Time

extension Session {
  /// Makes definitions and credentials with the keys in the wallet. Throws if there is no engine.
  func credentialIssuer() throws -> CredentialIssuer {
    CredentialIssuer(wallet: wallet, engine: try engine(), now: systemClock)
  }

  /// The DID of the issuer without its method, as Indy's ids begin with it.
  package static func bareDID(_ did: String) -> String {
    did.hasPrefix("did:sov:") ? String(did.dropFirst("did:sov:".count)) : did
  }

  /// The form of an offer over a connection: the configured version, or else the highest that the peer has disclosed.
  /// Without either, version 2.0, unless the connection came by the older handshake.
  func issuingDialect(over connection: Connection?) -> Dialect {
    Dialect(CredentialStep.family, settings.issuing.version ?? connection?.version(of: CredentialStep.family) ?? 2)
  }

  /// Forgets the texts of an exchange that has ended. A failure to forget them does no harm.
  func forgetIssuance(on thread: String) {
    do { try credentialIssuer().end(thread) } catch {
      Log.warning("the texts of an issued credential could not be forgotten: \(error)")
    }
  }
}

extension Connection {
  /// The highest major version, 1 or 2, in which the peer speaks a protocol. If the peer has not disclosed its protocols,
  /// the version that peers with such a connection speak.
  func version(of family: String) -> Int? {
    guard case .completed(let completed) = machine else { return nil }
    let disclosed = (completed.protocols.array ?? []).compactMap { $0["pid"]?.string ?? $0.string }
    for version in [2, 1] where disclosed.contains(where: { $0.contains("/\(family)/\(version).") }) { return version }
    if case .connection? = completed.invitation { return 1 }
    return 2
  }
}
