internal import CloudAgent
internal import JSON

extension Session {
  /// The messages to the owner that meet the filters, still encrypted, as JSON text, the oldest first. Each filter is a
  /// list with commas, or nil for no restriction.
  package func downloadOwnMessages(statuses: String?, uids: String?) throws -> String {
    let filter = try MessageFilter(statuses: statuses, uids: uids)
    let entries = try backups().ownMessages(filter).map { message -> JSON in
      [
        "uid": .string(message.uid), "statusCode": .string(message.status.code),
        "senderDID": .string(message.senderDID), "type": .string(message.type), "payload": message.payload ?? .null,
        "refMsgId": JSON(message.refMsgID), "deliveryDetails": [],
      ]
    }
    return JSON.array(entries).text
  }
}
