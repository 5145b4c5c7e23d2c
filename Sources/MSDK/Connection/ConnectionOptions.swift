internal import AgencyWire
internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON

/// The options of `vcx_connection_connect`.
package struct ConnectionOptions: Sendable {
  /// A pairwise agent made in advance.
  let mailbox: Mailbox?
  /// The handshake to ask for the connection by, or the only one to offer. Nil for the best that both sides speak.
  let handshake: Handshake?
  /// Whether an inviter names its public DID.
  let usesPublicDID: Bool

  /// Nothing, an empty or a blank text mean no options. Unknown members are ignored.
  package init(parsing text: String?) throws(ConnectionError) {
    guard let text, !text.allSatisfy(\.isWhitespace) else {
      (mailbox, handshake, usesPublicDID) = (nil, nil, false)
      return
    }
    let name: String?
    do {
      let object = try JSON(parsing: text).requireObject()
      _ = try object.optionalString("connection_type")
      _ = try object.optionalString("phone")
      usesPublicDID = try object.optionalBool("use_public_did") ?? false
      name = try object.optionalString("handshake_protocol")
      _ = try object.optionalBool("update_agent_info")
      mailbox = try object.optionalObject("pairwise_agent_info").map { info throws(JSONError) in try Mailbox(info) }
    } catch {
      throw .malformedOptions(error)
    }
    handshake = try name.map { name throws(ConnectionError) in
      guard let handshake = Handshake(name) else { throw .unknownHandshake }
      return handshake
    }
  }
}
