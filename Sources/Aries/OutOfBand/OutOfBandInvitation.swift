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
  /// Whether the inviter asks for a connection at all. Without, the invitation is only an address for an answer.
  package let offersHandshake: Bool
  /// The attachments as they stand.
  package let requests: [JSON]
  /// The first service that can be used.
  package let service: Service

  /// As it was received, with members that msdk does not know.
  package let json: JSON

  /// Reads an invitation of either version: members are looked for under the names of both. Refuses one that cannot be
  /// answered at all. One that was stored with a connection, perhaps by another library, may have a routing key that is
  /// none.
  package init(_ json: JSON, isStored: Bool = false) throws(InvitationError) {
    do {
      let object = try json.requireObject()
      id = try object.string("@id")
      label = try object.optionalString("label")
      imageURL = try object.optionalString("imageUrl") ?? object.optionalString("profileUrl")
      publicDID = try object.optionalString("public_did")
      let protocols = try object.optionalStrings("handshake_protocols") ?? []
      offersHandshake = !protocols.isEmpty
      handshakes = protocols.compactMap(Handshake.init)
      requests = try object.optionalArray("requests~attach") ?? object.optionalArray("request~attach") ?? []
      let services = try object.optionalArray("services") ?? object.optionalArray("service") ?? []
      service = try Self.usableService(services, isStored: isStored)
      self.json = json
    } catch let error as InvitationError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
    guard offersHandshake || !requests.isEmpty else {
      throw .unsupported("it offers no handshake, and carries no request")
    }
  }

  /// A service is a block of keys and endpoint, or a DID that says them by itself.
  private static func usableService(_ services: [JSON], isStored: Bool) throws -> Service {
    var reason = InvitationError.malformed("it has no service")
    for service in services {
      do {
        if let did = service.string { return try DIDDocument(resolving: did).service }
        return try Service(invitation: service.requireObject(), isStored: isStored)
      } catch let error as InvitationError {
        reason = error
      } catch DIDDocumentError.unresolvable(let kind) {
        reason = .unsupported("its service is \(kind)")
      } catch {
        reason = .malformed("\(error)")
      }
    }
    throw reason
  }
}
