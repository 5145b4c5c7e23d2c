package import JSON

/// A message as the agency stores it.
package struct WireMessage: Equatable, Sendable {
  package let uid: String
  /// `MS-101` … `MS-107`.
  package let statusCode: String
  /// Empty if an outside agent sent it.
  package let senderDID: String
  package let type: String
  /// The packed message, in one of the forms that `envelope` reads; nil if the request excluded it.
  package let payload: JSON?
  /// The payload of an answer by its text, which the answer contains as it is.
  package let payloadText: [UInt8]?
  package let refMsgID: String?

  package init(
    uid: String, statusCode: String, senderDID: String = "", type: String = "aries", payload: JSON? = nil,
    payloadText: [UInt8]? = nil, refMsgID: String? = nil
  ) {
    self.uid = uid
    self.statusCode = statusCode
    self.senderDID = senderDID
    self.type = type
    self.payload = payload
    self.payloadText = payloadText
    self.refMsgID = refMsgID
  }

  package init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    uid = try object.string("uid")
    statusCode = try object.string("statusCode")
    senderDID = try object.optionalString("senderDID") ?? ""
    type = try object.optionalString("type") ?? "unknown"
    let payload = object["payload"]
    self.payload = payload?.isNull == false ? payload : nil
    payloadText = nil
    refMsgID = try object.optionalString("refMsgId")
  }

  package var json: JSON {
    var object = heading
    object["payload"] = payload ?? payloadText.flatMap { try? JSON(parsing: $0) }
    object["refMsgId"] = JSON(refMsgID)
    return .object(object)
  }

  func write(to json: inout JSONWriter) {
    guard let payloadText else { return json.write(self.json) }
    json.object { json in
      json.write(membersOf: heading)
      json.name("payload")
      json.write(json: payloadText)
      json.name("refMsgId")
      json.write(refMsgID)
    }
  }

  private var heading: JSONObject {
    [
      "uid": .string(uid), "statusCode": .string(statusCode), "senderDID": .string(senderDID), "type": .string(type),
    ]
  }

  /// The packed message as an object. Agencies send it as an object, as its text, or as an array of the text's bytes,
  /// signed (−128…127) or unsigned. Nil for anything else.
  package var envelope: JSON? {
    switch payload {
    case .object: payload
    case .string(let text): try? JSON(parsing: text)
    case .array(let elements): JSON.bytes(ofNumbers: elements).flatMap { try? JSON(parsing: $0) }
    default: nil
    }
  }
}

/// The messages of one connection.
package struct WireConnectionMessages: Equatable, Sendable {
  package let pairwiseDID: String
  package let messages: [WireMessage]

  package init(pairwiseDID: String, messages: [WireMessage]) {
    self.pairwiseDID = pairwiseDID
    self.messages = messages
  }

  init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    pairwiseDID = try object.string("pairwiseDID")
    messages = try object.array("msgs").map(WireMessage.init)
  }

  var json: JSON { ["pairwiseDID": .string(pairwiseDID), "msgs": .array(messages.map(\.json))] }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.name("pairwiseDID")
      json.write(pairwiseDID)
      json.name("msgs")
      json.array { json in for message in messages { message.write(to: &json) } }
    }
  }
}

/// Selects messages: all messages, or the messages that meet every given list.
package struct WireMessageFilter: Equatable, Sendable {
  package var uids: [String] = []
  package var statusCodes: [String] = []
  package var excludesPayload = false
  /// The end of the previous answer; nil for an answer from the oldest message on.
  package var after: String?
  /// The uid of a message of the mailbox: only messages that came later are wanted. An agency that does not know the
  /// member or the message gives all of them.
  package var afterUID: String?
  /// The seconds for which the client waits for a message if there is none; nil if it wants the answer at once.
  ///
  /// The first such request has no `after`, and each following one has the text of the answer before it, so that messages
  /// which the client has seen, read or not, end no wait. Agencies that do not know the member answer at once, without
  /// `AnswerEnd.open`. With 0, the answer comes at once, and has the text for the first request that waits.
  package var wait: Int?

  package init(
    uids: [String] = [], statusCodes: [String] = [], excludesPayload: Bool = false, afterUID: String? = nil,
    wait: Int? = nil
  ) {
    self.uids = uids
    self.statusCodes = statusCodes
    self.excludesPayload = excludesPayload
    self.afterUID = afterUID
    self.wait = wait
  }

  init(_ object: JSONObject) throws(JSONError) {
    uids = try object.optionalStrings("uids") ?? []
    statusCodes = try object.optionalStrings("statusCodes") ?? []
    excludesPayload = try object.optionalString("excludePayload") == "Y"
    after = try object.optionalString("after")
    afterUID = try object.optionalString("afterUid")
    wait = try object.optionalInteger("wait").map { Int(clamping: max($0, 0)) }
  }

  func add(to object: inout JSONObject) {
    if !uids.isEmpty { object["uids"] = JSON(uids) }
    if !statusCodes.isEmpty { object["statusCodes"] = JSON(statusCodes) }
    if excludesPayload { object["excludePayload"] = "Y" }
    object["after"] = after.map(JSON.string)
    object["afterUid"] = afterUID.map(JSON.string)
    object["wait"] = wait.map { .integer(Int64($0)) }
  }
}

/// Asks a pairwise agent, or the agent itself, for its messages.
package struct GetMessages: AgencyMessage {
  package static let name = "GET_MSGS"
  package let filter: WireMessageFilter

  package init(filter: WireMessageFilter) { self.filter = filter }
  package init(_ object: JSONObject) throws(JSONError) { filter = try WireMessageFilter(object) }

  package var members: JSONObject {
    var members = JSONObject()
    filter.add(to: &members)
    return members
  }
}

/// Answers `GetMessages`.
package struct Messages: AgencyMessage {
  package static let name = "MSGS"
  package let messages: [WireMessage]
  package let end: AnswerEnd

  package init(messages: [WireMessage], end: AnswerEnd = .unsaid) {
    self.messages = messages
    self.end = end
  }

  package init(_ object: JSONObject) throws(JSONError) {
    messages = try object.array("msgs").map(WireMessage.init)
    end = try AnswerEnd(object)
  }

  package var members: JSONObject {
    var members: JSONObject = ["msgs": .array(messages.map(\.json))]
    end.add(to: &members)
    return members
  }

  package func write(to json: inout JSONWriter) {
    json.name("msgs")
    json.array { json in for message in messages { message.write(to: &json) } }
    end.write(to: &json)
  }
}

/// Asks the account for the messages of several connections; of all if none are named.
package struct GetMessagesByConnections: AgencyMessage {
  package static let name = "GET_MSGS_BY_CONNS"
  package let pairwiseDIDs: [String]
  package let filter: WireMessageFilter

  package init(pairwiseDIDs: [String] = [], filter: WireMessageFilter) {
    self.pairwiseDIDs = pairwiseDIDs
    self.filter = filter
  }

  package init(_ object: JSONObject) throws(JSONError) {
    pairwiseDIDs = try object.optionalStrings("pairwiseDIDs") ?? []
    filter = try WireMessageFilter(object)
  }

  package var members: JSONObject {
    var members = JSONObject()
    if !pairwiseDIDs.isEmpty { members["pairwiseDIDs"] = JSON(pairwiseDIDs) }
    filter.add(to: &members)
    return members
  }
}

/// Answers `GetMessagesByConnections`. If the request asked to wait, msdk's agency names only the connections with messages.
package struct MessagesByConnections: AgencyMessage {
  package static let name = "MSGS_BY_CONNS"
  package let connections: [WireConnectionMessages]
  package let end: AnswerEnd

  package init(connections: [WireConnectionMessages], end: AnswerEnd = .unsaid) {
    self.connections = connections
    self.end = end
  }

  package init(_ object: JSONObject) throws(JSONError) {
    connections = try object.array("msgsByConns").map(WireConnectionMessages.init)
    end = try AnswerEnd(object)
  }

  package var members: JSONObject {
    var members: JSONObject = ["msgsByConns": .array(connections.map(\.json))]
    end.add(to: &members)
    return members
  }

  package func write(to json: inout JSONWriter) {
    json.name("msgsByConns")
    json.array { json in for connection in connections { connection.write(to: &json) } }
    end.write(to: &json)
  }
}
