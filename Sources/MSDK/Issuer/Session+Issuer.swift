internal import Aries
internal import Credentials
internal import DIDComm
internal import Indy
internal import IndyVDR
internal import JSON
internal import Logging
internal import Registry
internal import Sodium
internal import Time
internal import Wallet

extension Session {
  /// Makes definitions and credentials with the keys in the wallet. Throws if there is no engine.
  func credentialIssuer() throws -> CredentialIssuer {
    CredentialIssuer(wallet: wallet, engine: try engine(), now: systemClock)
  }

  /// The form in which an exchange of a credential begins over a connection: the chosen or configured version, or else
  /// the highest that the peer has disclosed. Without either, the invitation decides; without a connection, version 2.0.
  func issuingDialect(_ form: ExchangeForm = .undecided, over connection: Connection?) -> Dialect {
    let wanted = form.version ?? settings.issuing.version
    return Dialect(CredentialStep.family, wanted ?? version(of: CredentialStep.family, over: connection) ?? 2)
  }

  /// Forgets the texts of an exchange that has ended. A failure to forget them does no harm.
  func forgetIssuance(on thread: String) {
    do { try credentialIssuer().end(thread) } catch {
      Log.warning("the texts of an issued credential could not be forgotten: \(error)")
    }
  }
}

// MARK: - Ledgers

extension Session {
  /// Publishes on the first ledger, with the keys of the wallet. Nil if there is no ledger.
  static func ledgerPublisher(with wallet: Wallet, for agent: Agent) -> IndyPublisher? {
    guard let network = agent.ledgers.all.first else { return nil }
    let ledger = { @Sendable () throws(LedgerError) -> any Ledger in try network.ledger() }
    return IndyPublisher(
      registry: IndyRegistry(networks: network.names, ledger: ledger), agreement: agent.acceptedAgreement,
      now: { systemClock() * 1_000_000_000 + Int64.random(in: 0..<1_000_000_000) },
      sign: { (did, bytes) throws(PublicationError) in try wallet.signature(of: bytes, as: did) }, ledger: ledger)
  }

  /// The agreement that the first ledger requires of authors, with the ways to accept it, as JSON text; an empty object
  /// if it requires none.
  package func authorAgreement() throws(SessionError) -> String {
    guard let network = agent.ledgers.all.first else { throw .noLedger }
    do { return try network.ledger().authorAgreement().text } catch { throw .ledgerUnreachable("\(error)") }
  }

  /// Signs a transaction that another author has prepared for this program's DID, and publishes it.
  package func endorse(_ text: String) throws {
    let transaction = try IndyTransaction(parsing: text)
    guard let own = settings.institutionDID, transaction.endorser == own.onLedger else {
      throw JSONError.wrongType(key: "endorser", expected: "institution_did")
    }
    try registries.endorse(transaction)
    Log.info("a transaction of \(transaction.author) is endorsed")
  }
}

extension Wallet {
  fileprivate func signature(of bytes: [UInt8], as did: String) throws(PublicationError) -> [UInt8] {
    do {
      guard let key = try verkey(of: DID(did)), let pair = try keyPair(for: key) else {
        throw PublicationError.noKey(did)
      }
      return pair.sign(bytes)
    } catch let error as PublicationError {
      throw error
    } catch {
      throw .noKey(did)
    }
  }
}
