package import JSON

/// Messages of one connection, by their uids.
package struct WireConnectionUIDs: Equatable, Sendable {
  package let pairwiseDID: String
  package let uids: [String]

  package init(pairwiseDID: String, uids: [String]) {
    self.pairwiseDID = pairwiseDID
    self.uids = uids
  }

  init(_ json: JSON) throws(JSONError) {
    let object = try json.requireObject()
    pairwiseDID = try object.string("pairwiseDID")
    uids = try object.strings("uids")
  }

  var json: JSON { ["pairwiseDID": .string(pairwiseDID), "uids": JSON(uids)] }
}

/// Sets the status of messages, e.g. to `MS-106`, reviewed.
package struct UpdateMessageStatus: AgencyMessage {
  package static let name = "UPDATE_MSG_STATUS_BY_CONNS"
  package let statusCode: String
  package let connections: [WireConnectionUIDs]

  package init(statusCode: String, connections: [WireConnectionUIDs]) {
    self.statusCode = statusCode
    self.connections = connections
  }

  package init(_ object: JSONObject) throws(JSONError) {
    statusCode = try object.string("statusCode")
    connections = try object.array("uidsByConns").map(WireConnectionUIDs.init)
  }

  package var members: JSONObject {
    ["statusCode": .string(statusCode), "uidsByConns": .array(connections.map(\.json))]
  }
}

/// Answers `UpdateMessageStatus`: the updated messages, and the connections with messages that were not updated.
package struct MessageStatusUpdated: AgencyMessage {
  package struct Failure: Equatable, Sendable {
    package let pairwiseDID: String
    package let statusCode: String
    package let statusMessage: String

    package init(pairwiseDID: String, statusCode: String, statusMessage: String) {
      self.pairwiseDID = pairwiseDID
      self.statusCode = statusCode
      self.statusMessage = statusMessage
    }

    init(_ json: JSON) throws(JSONError) {
      let object = try json.requireObject()
      pairwiseDID = try object.string("pairwiseDID")
      statusCode = try object.optionalString("statusCode") ?? ""
      statusMessage = try object.optionalString("statusMsg") ?? ""
    }

    var json: JSON {
      [
        "pairwiseDID": .string(pairwiseDID), "statusCode": .string(statusCode), "statusMsg": .string(statusMessage),
      ]
    }
  }

  package static let name = "MSG_STATUS_UPDATED_BY_CONNS"
  package let updated: [WireConnectionUIDs]
  package let failed: [Failure]

  package init(updated: [WireConnectionUIDs], failed: [Failure]) {
    self.updated = updated
    self.failed = failed
  }

  package init(_ object: JSONObject) throws(JSONError) {
    updated = try object.array("updatedUidsByConns").map(WireConnectionUIDs.init)
    failed = try (object.optionalArray("failed") ?? []).map(Failure.init)
  }

  package var members: JSONObject {
    ["updatedUidsByConns": .array(updated.map(\.json)), "failed": .array(failed.map(\.json))]
  }
}

/// Sets the status of a connection; `CS-103` deletes its pairwise agent.
package struct UpdateConnectionStatus: AgencyMessage {
  package static let name = "UPDATE_CONN_STATUS"
  package static let deleted = "CS-103"
  package let statusCode: String

  package init(statusCode: String) { self.statusCode = statusCode }
  package init(_ object: JSONObject) throws(JSONError) { statusCode = try object.string("statusCode") }
  package var members: JSONObject { ["statusCode": .string(statusCode)] }
}

/// Answers `UpdateConnectionStatus`.
package struct ConnectionStatusUpdated: AgencyMessage {
  package static let name = "CONN_STATUS_UPDATED"
  package let statusCode: String

  package init(statusCode: String) { self.statusCode = statusCode }
  package init(_ object: JSONObject) throws(JSONError) { statusCode = try object.string("statusCode") }
  package var members: JSONObject { ["statusCode": .string(statusCode)] }
}

/// The body of an answer with an error status, in Verity's form. Other agencies give only a trace id of their own log.
package struct WireRefusal: Error, Equatable, Sendable {
  /// Empty if the body has a trace id.
  package let statusCode: String
  package let statusMessage: String
  package let traceID: String?

  package init(statusCode: String, statusMessage: String) {
    self.statusCode = statusCode
    self.statusMessage = statusMessage
    traceID = nil
  }

  /// Returns nil for any other body.
  package init?(body: [UInt8]) {
    guard let object = (try? JSON(parsing: body))?.object else { return nil }
    traceID = object["errorTraceId"]?.string
    guard let code = object["statusCode"]?.string ?? traceID.map({ _ in "" }) else { return nil }
    statusCode = Self.short(code)
    statusMessage = Self.short(object["statusMsg"]?.string ?? "")
  }

  /// Shortens the text: the body is not authenticated, and goes into errors and logs.
  private static func short(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(256).filter { $0.value >= 0x20 && $0.value != 0x7f }))
  }

  package var body: [UInt8] {
    (["statusCode": .string(statusCode), "statusMsg": .string(statusMessage)] as JSON).bytes
  }
}
