package import DIDComm
package import JSON

/// `out-of-band/1.0` and `1.1` `/invitation` (RFC 0434) with a service block.
package struct OutOfBandInvitation: Equatable, Sendable {
  package static let type = MessageType("out-of-band", 1, 1, "invitation")
  package let id: String
  package let label: String?
  package let imageURL: String?
  package let publicDID: String?
  package let goal: String?
  /// Protocol names without prefix, e.g. `connections/1.0`, in the inviter's order.
  package let handshakeProtocols: [String]
  /// The first service that can be used.
  package let service: Service

  /// As it was received, with members that msdk does not know.
  package let json: JSON

  package init(_ json: JSON) throws(InvitationError) {
    do {
      let object = try json.requireObject()
      id = try object.string("@id")
      label = try object.optionalString("label")
      imageURL = try object.optionalString("imageUrl") ?? object.optionalString("profileUrl")
      publicDID = try object.optionalString("public_did")
      goal = try object.optionalString("goal")
      handshakeProtocols = try (object.optionalStrings("handshake_protocols") ?? []).map(Self.withoutPrefix)
      service = try Self.usableService(object.optionalArray("services") ?? object.array("service"))
      self.json = json
    } catch let error as InvitationError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// The handshakes that msdk knows, as the invitation names them.
  private static let supported: Set = ["connections/1.0"]

  /// Whether the invitation can be answered. `init` reads also those that can only be shown.
  package func requireSupportedHandshake() throws(InvitationError) {
    guard !handshakeProtocols.isEmpty else { throw .unsupported("it offers no handshake") }
    guard handshakeProtocols.contains(where: Self.supported.contains) else {
      throw .unsupported("it offers none of the handshakes \(Self.supported.sorted())")
    }
  }

  private static func usableService(_ services: [JSON]) throws -> Service {
    var reason = InvitationError.malformed("it has no service")
    for service in services {
      do {
        guard let block = service.object else {
          throw InvitationError.unsupported("its service is a DID, which needs a resolver")
        }
        return try Service(invitation: block)
      } catch let error as InvitationError {
        reason = error
      } catch {
        reason = .malformed("\(error)")
      }
    }
    throw reason
  }

  /// `https://didcomm.org/connections/1.0` → `connections/1.0`; a slash at the end is dropped.
  private static func withoutPrefix(_ text: String) -> String {
    text.split(separator: "/").suffix(2).joined(separator: "/")
  }
}
