internal import DIDComm
package import JSON

/// A client's message of messagepickup 1.0 (RFC 0212) or 2.0 (RFC 0685).
package enum PickupRequest: Equatable, Sendable {
  /// Asks how many messages wait, in this major version.
  case status(version: Int)
  /// Asks for messages, of which the mediator deletes none yet.
  case delivery(limit: Int)
  /// Acknowledges attachments of a delivery: the mediator may delete them.
  case received([String])
  /// Turns live delivery on or off for the session that carries the message.
  case live(Bool)
  /// Asks for messages that the mediator deletes at once (version 1.0).
  case batch(size: Int)

  /// The message. It names no `recipient_key`, which mediators ignore or count wrongly.
  package func json(id: String) -> JSON {
    let (major, name, members): (Int, String, [(String, JSON)]) =
      switch self {
      case .status(let version): (version, "status-request", [])
      case .delivery(let limit): (2, "delivery-request", [("limit", .integer(Int64(limit)))])
      case .received(let ids): (2, "messages-received", [("message_id_list", JSON(ids))])
      case .live(let isOn): (2, "live-delivery-change", [("live_delivery", .bool(isOn))])
      case .batch(let size): (1, "batch-pickup", [("batch_size", .integer(Int64(size)))])
      }
    let type = MessageType("messagepickup", major, 0, name)
    return .object(JSONObject([("@type", .string(type.text)), ("@id", .string(id))] + members))
  }
}

/// `messagepickup/1.0/status` and `2.0/status`. Mediators spell the other members in several ways.
package struct PickupStatus: Equatable, Sendable {
  /// The number of waiting messages. Some mediators leave out the messages that they are sending.
  package let count: Int64
  /// Nil if the message names none.
  package let thread: String?

  init(_ object: JSONObject) {
    count = object["message_count"]?.integer ?? 0
    thread = object["~thread"]?["thid"]?.string
  }
}
