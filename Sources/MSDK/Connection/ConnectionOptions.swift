internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

/// The options of `vcx_connection_connect`.
package struct ConnectionOptions: Sendable {
  /// A mailbox created in advance.
  let mailbox: Mailbox?
  /// The handshake for the request, or the only handshake to offer. Nil selects the best handshake that both sides
  /// speak.
  let handshake: Handshake?
  /// The kind of DID to present. Nil selects the handshake's default.
  let didMethod: DIDMethod?
  /// Whether an inviter names its public DID.
  let usesPublicDID: Bool

  /// The permitted members. Evernym's library used `connection_type`, `phone` and `update_agent_info` only for its own
  /// protocol.
  package static let members: Set<String> = [
    "connection_type", "phone", "use_public_did", "handshake_protocol", "use_did_method", "update_agent_info",
    "pairwise_agent_info",
  ]

  /// Nil, an empty or a blank text mean no options. Refuses unknown members, so that a misspelt option does not go
  /// unnoticed.
  package init(parsing text: String?) throws(ConnectionError) {
    guard let text, !text.allSatisfy(\.isWhitespace) else {
      (mailbox, handshake, didMethod, usesPublicDID) = (nil, nil, nil, false)
      return
    }
    let handshake: String?
    let method: String?
    let object: JSONObject
    do {
      object = try JSON(parsing: text).requireObject()
      _ = try object.optionalString("connection_type")
      _ = try object.optionalString("phone")
      usesPublicDID = try object.optionalBool("use_public_did") ?? false
      handshake = try object.optionalString("handshake_protocol")
      method = try object.optionalString("use_did_method")
      _ = try object.optionalBool("update_agent_info")
      mailbox = try object.optionalObject("pairwise_agent_info").map { info throws(JSONError) in try Mailbox(info) }
    } catch {
      throw .malformedOptions(error)
    }
    if let unknown = object.members.first(where: { !Self.members.contains($0.key) }) {
      throw .unknownOption(unknown.key)
    }
    self.handshake = try handshake.map { name throws(ConnectionError) in
      guard let handshake = Handshake(name) else { throw .unknownHandshake }
      return handshake
    }
    didMethod = try method.map { name throws(ConnectionError) in
      guard let method = DIDMethod(rawValue: name) else { throw .unknownDIDMethod }
      return method
    }
  }
}

extension ConnectionOptions {
  /// The handshake for answering an invitation. Nil selects the handshake that the invitation prefers.
  func handshake(for invitation: Invitation) throws(ConnectionError) -> Handshake? {
    if let handshake, !invitation.offers(handshake) { throw .handshakeNotOffered(handshake.text) }
    guard needsDIDExchange else { return handshake }
    guard let exchange = Self.exchanges(among: handshake.map { [$0] } ?? invitation.handshakes).first else {
      throw .didMethodNotPossible
    }
    return exchange
  }

  /// The handshakes to offer in an invitation.
  func handshakes(for plan: InvitationPlan) throws(ConnectionError) -> [Handshake] {
    let offered = handshake.map { [$0] } ?? Handshake.all
    guard needsDIDExchange else { return offered }
    let exchanges = Self.exchanges(among: offered)
    guard case .outOfBand = plan, !exchanges.isEmpty else { throw .didMethodNotPossible }
    return exchanges
  }

  /// Refuses options about a handshake, for a protocol that has none.
  func requireNoHandshake() throws(ConnectionError) {
    if let handshake { throw .handshakeNotOffered(handshake.text) }
    if needsDIDExchange { throw .didMethodNotPossible }
  }

  /// Whether to present a `did:peer`, which connections/1.0 cannot carry.
  private var needsDIDExchange: Bool { didMethod != nil && didMethod != .unqualified }

  private static func exchanges(among handshakes: [Handshake]) -> [Handshake] {
    handshakes.filter { if case .didExchange = $0 { true } else { false } }
  }
}
