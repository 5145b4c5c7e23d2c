internal import AgencyWire
internal import CloudAgent
internal import JSON

extension Session {
  /// The messages for the owner himself that meet the filters, as they lie at the Cloud Agent, as JSON text, the oldest
  /// first. Each filter is a list with commas, or nil for no restriction.
  package func downloadOwnMessages(statuses: String?, uids: String?) throws -> String {
    let filter = try MessageFilter(statuses: statuses, uids: uids)
    let entries = try cloudAgent().ownMessages(filter).map { message -> JSON in
      var entry = message.json
      entry["payload"] = message.payload ?? .null
      entry["refMsgId"] = JSON(message.refMsgID)
      entry["deliveryDetails"] = []
      return entry
    }
    return JSON.array(entries).text
  }
}
