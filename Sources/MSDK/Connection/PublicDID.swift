internal import DIDComm
internal import Indy
internal import IndyVDR
internal import JSON
internal import Registry
internal import Sodium

/// A DID whose key and endpoint are on a ledger: `did:sov:…`, `did:indy:…`, or a bare DID of Indy.
struct PublicDID: Sendable {
  /// The DID as the invitation has it.
  private let did: String
  private let parsed: IndyDID

  /// Returns nil for DIDs of other methods.
  init?(_ did: String) {
    guard let parsed = IndyDID(did) else { return nil }
    self.did = did
    self.parsed = parsed
  }

  /// The service of the DID's owner, from the first ledger that has the DID. Ledgers are asked in their order, and a
  /// later ledger decides only if the earlier ledgers do not have the DID.
  func service(on ledgers: [LedgerConnection]) throws -> Service { try first(on: ledgers) { try service(on: $0) } }

  /// The document of the DID, from the first ledger that has it.
  func document(on ledgers: [LedgerConnection]) throws -> DIDDocument {
    try first(on: ledgers) { try document(on: $0) }
  }

  /// The first answer of a ledger of the DID's network. Throws if no ledger has the DID. Throws `unreachable` if a
  /// ledger gives no answer before another ledger has the DID: a stranger may have written the same DID on a later
  /// ledger.
  private func first<Answer>(
    on ledgers: [LedgerConnection], _ ask: (any Ledger) throws -> Answer?
  ) throws -> Answer {
    let asked = ledgers.filter { parsed.network.map($0.names.contains) ?? true }
    guard !asked.isEmpty else { throw ConnectionError.needsLedger(did) }
    for ledger in asked {
      do {
        if let answer = try ask(ledger.ledger()) { return answer }
      } catch let error as LedgerError {
        throw PublicDIDError.unreachable(did, "\(error)")
      }
    }
    throw PublicDIDError.notFound(did)
  }

  /// The document of the DID. Without an endpoint, nothing can be sent to the document's service, and only its key is
  /// of use. Returns nil if the ledger does not have the DID. Throws `noEndpoint` if it has the DID without a key, so
  /// that no later ledger decides.
  func document(on ledger: some Ledger) throws -> DIDDocument? {
    guard let nym = try ledger.nym(parsed.bare) else { return nil }
    guard let key = nym.key.map(VerKey.init) else { throw PublicDIDError.noEndpoint(did) }
    let service: Service?
    do { service = try self.service(on: ledger) } catch PublicDIDError.noEndpoint { service = nil }
    return DIDDocument(id: did, key: key, service: service ?? Service(recipientKeys: [key], endpoint: ""))
  }

  /// The service of the DID's owner. Returns nil if the ledger does not have the DID.
  func service(on ledger: some Ledger) throws -> Service? {
    guard let nym = try ledger.nym(parsed.bare) else { return nil }
    guard let key = nym.key.map(VerKey.init) else { throw PublicDIDError.noEndpoint(did) }
    let attribute = try ledger.submit(.attribute("endpoint", of: parsed.bare))["data"]?.parsedData
    guard let endpoint = attribute?["endpoint"],
      let address = (endpoint["endpoint"] ?? endpoint["agent"])?.string,
      let url = try? Service.endpoint(among: .string(address))
    else { throw PublicDIDError.noEndpoint(did) }
    let routing = (endpoint["routingKeys"]?.array ?? []).map { $0.string.flatMap { try? VerKey(anyForm: $0) } }
    guard !routing.contains(nil) else { throw PublicDIDError.noEndpoint(did) }
    return Service(recipientKeys: [key], routingKeys: routing.compactMap(\.self), endpoint: url)
  }
}

/// The reasons why a public DID does not lead to its owner's service.
package enum PublicDIDError: Error, Equatable, Sendable {
  /// No ledger has the DID, or the DID's server does not have it.
  case notFound(String)
  /// A ledger or a server gave no answer, for the given reason.
  case unreachable(String, String)
  /// The ledger, or the DID's document, has no key of the DID, or no endpoint that msdk can send to.
  case noEndpoint(String)
  /// The log or the document of the DID on the web is wrong, for the given reason.
  case invalid(String, String)
}

extension PublicDIDError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notFound(let did): "no ledger or server has the public DID \(did)"
    case .unreachable(let did, let reason): "the public DID \(did) could not be resolved: \(reason)"
    case .noEndpoint(let did): "there is no key, or no http or WebSocket endpoint, of the public DID \(did)"
    case .invalid(let did, let reason): "the public DID \(did) is not valid: \(reason)"
    }
  }
}
