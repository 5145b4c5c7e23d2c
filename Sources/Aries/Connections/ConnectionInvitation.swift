package import DIDComm
package import JSON

/// `connections/1.0/invitation` (RFC 0160): with keys and an endpoint, or with a DID in their place.
package struct ConnectionInvitation: Equatable, Sendable {
  package static let type = MessageType("connections", 1, 0, "invitation")
  package let id: String
  package let label: String
  package let imageURL: String?
  package let publicDID: String?
  package let address: InviterAddress

  /// The received JSON, with members that msdk does not know.
  package let json: JSONText

  /// Reads an invitation. Its type may be missing, as many agents omit it, but must not name another message. A stored
  /// invitation, which another library may have stored, may have a malformed routing key.
  package init(_ json: JSON, isStored: Bool = false) throws(InvitationError) {
    do {
      let object = try json.requireObject()
      if !isStored { try InvitationKind.connection.check(object) }
      id = try object.string("@id")
      label = try object.string("label")
      imageURL = try object.optionalString("imageUrl") ?? object.optionalString("profileUrl")
      publicDID = try object.optionalString("public_did")
      address = try Self.address(in: object, isStored: isStored)
      self.json = JSONText(json)
    } catch let error as InvitationError {
      throw error
    } catch {
      throw .malformed("\(error)")
    }
  }

  /// Nil if the invitation names its inviter by a public DID only.
  package var service: Service? { if case .service(let service) = address { service } else { nil } }

  /// The inviter's service. Without keys, a DID contains the service, or a ledger has it.
  private static func address(in object: JSONObject, isStored: Bool) throws -> InviterAddress {
    guard object["recipientKeys"] == nil, let did = object["did"]?.string else {
      return .service(try Service(invitation: object, isStored: isStored))
    }
    do { return .service(try DIDDocument(resolving: did).service) } catch DIDDocumentError.needsLedger(let did) {
      return .publicDID(did)
    } catch DIDDocumentError.unresolvable(let kind) {
      throw InvitationError.unsupported("its DID is \(kind)")
    }
  }
}

extension Service {
  /// The members that an invitation shares with a service block.
  init(invitation object: JSONObject, isStored: Bool) throws {
    let recipientKeys = try Self.keys(object.strings("recipientKeys"), of: "recipientKeys")
    guard !recipientKeys.isEmpty else { throw InvitationError.malformed("recipientKeys is empty") }
    guard let offered = object["serviceEndpoint"] else { throw JSONError.missing(key: "serviceEndpoint") }
    let endpoint: String
    do { endpoint = try Self.endpoint(among: offered) } catch { throw InvitationError.unsupported("\(error)") }
    let routing = try object.optionalStrings("routingKeys") ?? []
    let routingKeys = isStored ? try? Self.keys(routing, of: "routingKeys") : try Self.keys(routing, of: "routingKeys")
    self.init(recipientKeys: recipientKeys, routingKeys: routingKeys, endpoint: endpoint)
  }

  private static func keys(_ texts: [String], of member: String) throws(InvitationError) -> [VerKey] {
    guard texts.count <= DIDDocument.maximumKeys else { throw .malformed("\(member) holds too many keys") }
    return try texts.map { text throws(InvitationError) in
      guard let key = try? VerKey(anyForm: text) else { throw .malformed("\(member) holds something that is no key") }
      return key
    }
  }
}

/// The reasons why an invitation cannot be accepted.
package enum InvitationError: Error, Equatable, Sendable {
  case malformed(String)
  /// The invitation is well-formed, but msdk does not support it.
  case unsupported(String)
  /// The invitation has the other form, which another function accepts.
  case otherKind(InvitationKind)
}

extension InvitationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed(let reason): "malformed invitation: \(reason)"
    case .unsupported(let reason): "this invitation cannot be accepted: \(reason)"
    case .otherKind(.connection): "this is a connection invitation, not an out-of-band one"
    case .otherKind(.outOfBand): "this is an out-of-band invitation, not a connection invitation"
    }
  }
}
