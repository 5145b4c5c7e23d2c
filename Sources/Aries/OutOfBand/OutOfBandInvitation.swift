package import DIDComm
package import JSON

/// `out-of-band/1.0` and `1.1` `/invitation` (RFC 0434).
package struct OutOfBandInvitation: Equatable, Sendable {
  package static let type = MessageType("out-of-band", 1, 1, "invitation")
  package let id: String
  package let label: String?
  package let imageURL: String?
  package let publicDID: String?
  /// The handshakes that msdk speaks, in the inviter's order.
  package let handshakes: [Handshake]
  /// Whether the inviter asks for a connection. If not, the invitation only gives an address for an answer.
  package let offersHandshake: Bool
  /// The first usable service.
  package let address: InviterAddress
  /// The first usable service as the invitation writes it: a DID, or an object.
  let service: JSON

  /// The received JSON, with members that msdk does not know.
  package let json: JSONText

  /// Reads an invitation of either version: it accepts the member names of both. Refuses an invitation that cannot be
  /// answered. A stored invitation, which another library may have stored, may have a malformed routing key, if no service
  /// could be used without it.
  package init(_ json: JSON, isStored: Bool = false) throws(InvitationError) {
    do {
      let object = try json.requireObject()
      if !isStored { try InvitationKind.outOfBand.check(object) }
      id = try object.string("@id")
      label = try object.optionalString("label")
      imageURL = try object.optionalString("imageUrl") ?? object.optionalString("profileUrl")
      publicDID = try object.optionalString("public_did")
      let protocols = try object.optionalStrings("handshake_protocols") ?? []
      offersHandshake = !protocols.isEmpty
      handshakes = protocols.compactMap(Handshake.init)
      let requests = try object.optionalArray("requests~attach") ?? object.optionalArray("request~attach") ?? []
      let services = try object.optionalArray("services") ?? object.optionalArray("service") ?? []
      (address, service) = try Self.address(among: services, isStored: isStored)
      self.json = JSONText(json)
      guard offersHandshake || !requests.isEmpty else {
        throw InvitationError.unsupported("it offers no handshake, and carries no request")
      }
    } catch let error as InvitationError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// The invitation that a public DID implies (RFC 0434): its id is the DID, which becomes the parent of the request's
  /// thread, and it offers DID Exchange.
  package init(impliedBy did: String) throws(InvitationError) {
    let did = did.hasPrefix("did:") ? did : "did:sov:\(did)"
    let handshakes = [Handshake.didExchange(.v1_0), .didExchange(.v1_1)].map(\.text)
    try self.init([
      "@type": .string(Self.type.text), "@id": .string(did), "handshake_protocols": JSON(handshakes),
      "services": [.string(did)],
    ])
  }

  /// The address to which the invitation led when it arrived. A stored invitation leads to the same one.
  private static func address(
    among services: [JSON], isStored: Bool
  ) throws -> (address: InviterAddress, service: JSON) {
    do { return try usableAddress(services, isStored: false) } catch  where isStored {
      return try usableAddress(services, isStored: true)
    }
  }

  /// Returns the first service with keys and an http endpoint, or with a DID that contains them. Without one, returns the first
  /// DID that a ledger must resolve, and without that the first service with a WebSocket endpoint.
  private static func usableAddress(
    _ services: [JSON], isStored: Bool
  ) throws -> (address: InviterAddress, service: JSON) {
    guard services.count <= DIDDocument.maximumServices else {
      throw InvitationError.malformed("it has too many services")
    }
    var reason = InvitationError.malformed("it has no service")
    var publicDID: (String, JSON)?
    var overWebSocket: (InviterAddress, JSON)?
    for service in services {
      do {
        let found = try Self.service(service, isStored: isStored)
        guard Service.isWebSocket(found.endpoint) else { return (.service(found), service) }
        overWebSocket = overWebSocket ?? (.service(found), service)
      } catch DIDDocumentError.needsLedger(let did) {
        publicDID = publicDID ?? (did, service)
      } catch let error as InvitationError {
        reason = error
      } catch DIDDocumentError.unresolvable(let kind) {
        reason = .unsupported("its service is \(kind)")
      } catch {
        reason = .malformed("\(error)")
      }
    }
    if let (did, service) = publicDID { return (.publicDID(did), service) }
    guard let overWebSocket else { throw reason }
    return overWebSocket
  }

  /// A service as an invitation has it: a block, or a DID that contains it.
  private static func service(_ json: JSON, isStored: Bool) throws -> Service {
    if let did = json.string { return try DIDDocument(resolving: did).service }
    return try Service(invitation: json.requireObject(), isStored: isStored)
  }

  /// The service that an answer to an invitation with these services would go to, as the invitation writes it. Nil if
  /// no service is usable.
  static func usableService(among services: [JSON]) -> JSON? {
    try? usableAddress(services, isStored: false).service
  }
}
