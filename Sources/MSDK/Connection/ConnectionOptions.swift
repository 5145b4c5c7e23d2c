internal import AgencyWire
internal import CloudAgent
internal import DIDComm
internal import JSON

/// The options of `vcx_connection_connect`.
package struct ConnectionOptions: Sendable {
  /// A pairwise agent made in advance.
  let mailbox: Mailbox?

  /// Nothing, an empty or a blank text mean no options. Unknown members are ignored.
  package init(parsing text: String?) throws(ConnectionError) {
    guard let text, !text.allSatisfy(\.isWhitespace) else {
      mailbox = nil
      return
    }
    do {
      let object = try JSON(parsing: text).requireObject()
      _ = try object.optionalString("connection_type")
      _ = try object.optionalString("phone")
      _ = try object.optionalBool("use_public_did")
      _ = try object.optionalBool("update_agent_info")
      mailbox = try object.optionalObject("pairwise_agent_info").map { info throws(JSONError) in try Mailbox(info) }
    } catch {
      throw .malformedOptions(error)
    }
  }
}

extension Mailbox {
  /// Reads `{"pw_did", "pw_vk", "agent_did", "agent_vk"}`.
  init(_ object: JSONObject) throws(JSONError) {
    _ = try object.string("pw_did")
    let agent = Party(did: try object.string("agent_did"), verkey: try object.verkey("agent_vk"))
    self.init(key: try object.verkey("pw_vk"), agent: agent)
  }
}
