internal import Aries
internal import CloudAgent
internal import DIDComm
internal import Indy
internal import JSON
internal import Logging
internal import Registry

extension Session {
  /// Opens the mailbox of this side's public DID, or finds it: peers that know the DID write to its key.
  func openReception() throws -> Mailbox {
    guard settings.institutionDID != nil else { throw SettingsError.missing("institution_did") }
    guard let key = settings.institutionVerkey else { throw SettingsError.missing("institution_verkey") }
    return try openMailbox(for: keyPair(key).verkey)
  }

  /// Publishes the endpoint and the routing keys of this side's public DID on the first ledger, if the DID is Indy's, and if
  /// a ledger is configured. Returns them as JSON text, with the document that another method's DID needs.
  package func publishPublicDID() throws -> String {
    let mailbox = try openReception()
    let did = settings.institutionDID ?? ""
    let service = try cloudAgent().service(of: mailbox)
    let isPublished = try publishEndpoint(of: did, key: mailbox.key, service)
    let published: JSONObject = [
      "did": .string(did), "verkey": .string(mailbox.key.text), "endpoint": .string(service.endpoint),
      "routing_keys": JSON(service.routingKeys.map(\.text)), "published": .bool(isPublished),
      "document": .object(DIDDocument.members(id: did, key: mailbox.key, service: service)),
    ]
    return JSON.object(published).text
  }

  /// Writes the endpoint to the ledger. Returns false if the DID is not Indy's or if no ledger is configured.
  private func publishEndpoint(of did: String, key: VerKey, _ service: Service) throws -> Bool {
    guard let indy = IndyDID(did), let publisher = Self.ledgerPublisher(with: wallet, for: agent) else { return false }
    var endpoint: JSONObject = ["endpoint": .string(service.endpoint)]
    if !service.routingKeys.isEmpty { endpoint["routingKeys"] = JSON(service.routingKeys.map(\.text)) }
    try publisher.publish(endpoint: .object(endpoint), of: indy.bare, with: key.publicKey)
    Log.info("the ledger has the endpoint of \(did)")
    return true
  }
}
