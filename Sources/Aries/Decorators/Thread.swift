package import JSON

/// `~thread` (RFC 0008): the conversation that a message belongs to.
package struct Thread: Equatable, Sendable {
  package var thid: String
  /// The parent of this thread: for a handshake, the invitation's `@id`.
  package var pthid: String?
  package var senderOrder: Int64?
  package var receivedOrders: JSONObject?

  package init(thid: String, pthid: String? = nil) {
    self.thid = thid
    self.pthid = pthid
  }

  /// The thread of a received message. Without the decorator, or without its `thid`, the message begins its own thread.
  package init(of message: JSONObject) {
    let decorator = message["~thread"]?.object
    let named = decorator?["thid"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    thid = named ?? message["@id"]?.string ?? ""
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

  /// Whether a message belongs to an invitation: its thread is the invitation's, or has it as its parent.
  func belongs(to invitation: String) -> Bool { thid == invitation || pthid == invitation }

  package var json: JSON {
    var object: JSONObject = ["thid": .string(thid)]
    object["pthid"] = pthid.map(JSON.string)
    object["sender_order"] = senderOrder.map(JSON.integer)
    object["received_orders"] = receivedOrders.map(JSON.object)
    return .object(object)
  }

  // The orders of an exchange of several messages (RFC 0008) count from 0 on each side.

  /// The thread of this side's first message.
  func begun() -> Thread {
    var thread = self
    thread.senderOrder = 0
    thread.receivedOrders = [:]
    return thread
  }

  /// The thread after one more message of the peer. Without a connection the peer has no DID to count under.
  func received(from did: String?) -> Thread {
    guard let did else { return self }
    var thread = self
    var orders = receivedOrders ?? [:]
    orders[did] = .integer((orders[did]?.integer ?? -1) &+ 1)
    thread.receivedOrders = orders
    return thread
  }

  /// The thread of this side's next message, after the message on this thread.
  func next() -> Thread {
    var thread = self
    thread.senderOrder = (senderOrder ?? 0) &+ 1
    return thread
  }
}
