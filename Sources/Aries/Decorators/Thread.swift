package import JSON

/// `~thread` (RFC 0008): which conversation a message belongs to.
package struct Thread: Equatable, Sendable {
  package var thid: String
  /// The thread that this one came out of: for a handshake, the invitation's `@id`.
  package var pthid: String?
  package var senderOrder: Int64?
  package var receivedOrders: JSONObject?

  package init(thid: String, pthid: String? = nil) {
    self.thid = thid
    self.pthid = pthid
  }

  /// The thread of a received message: without the decorator, or without `thid` in it, the message begins its own.
  package init(of message: JSONObject) {
    let decorator = message["~thread"]?.object
    thid = decorator?["thid"]?.string ?? message["@id"]?.string ?? ""
    pthid = decorator?["pthid"]?.string
    senderOrder = decorator?["sender_order"]?.integer
    receivedOrders = decorator?["received_orders"]?.object
  }

  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    thid = try object.optionalString("thid") ?? ""
    pthid = try object.optionalString("pthid")
    senderOrder = try object.optionalInteger("sender_order")
    receivedOrders = try object.optionalObject("received_orders")
  }

  /// Whether a message belongs to an invitation: on its thread, or on one that came out of it.
  func belongs(to invitation: String) -> Bool { thid == invitation || pthid == invitation }

  package var json: JSON {
    var object: JSONObject = ["thid": .string(thid)]
    object["pthid"] = pthid.map(JSON.string)
    object["sender_order"] = senderOrder.map(JSON.integer)
    object["received_orders"] = receivedOrders.map(JSON.object)
    return .object(object)
  }
}
