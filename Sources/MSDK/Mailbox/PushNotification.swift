internal import DIDComm
package import JSON

/// The notification of a message, as the app, or the program behind a web address, received it.
///
/// Nothing authenticates a notification, so it only tells the program which message to look for in the mailbox.
package struct PushNotification: Equatable, Sendable {
  package let uid: String
  /// This side's DID in the connection of the message.
  package let pairwiseDID: String
  /// The type of the message, if the sender's agency knows it.
  package let messageType: String?
  package let senderName: String?

  /// The names in notifications of different agencies and channels.
  private static let uidKeys = ["msgId", "uid", "msgUid"]
  private static let didKeys = ["relationshipDid", "forDID", "pwDid"]
  private static let typeKeys = ["msgType", "type"]

  /// Reads a notification: the JSON that an agency posts to a sponsor or to a web address, or the JSON that Firebase
  /// delivers. Firebase may put it into `data` or `message.data`, and writes every value as a text.
  package init(parsing text: String) throws(JSONError) {
    let content = Self.content(of: try JSON(parsing: text).requireObject())
    uid = try Self.uid(in: content)
    pairwiseDID = try Self.did(in: content)
    let details = Self.details(in: content)
    messageType = Self.known(Self.typeKeys.lazy.compactMap { details[$0] ?? content[$0] }.first)
    senderName = Self.known(details["msgSenderName"] ?? content["msgSenderName"])
  }

  /// The beginning of the types of the agency's own messages, which are about backups.
  private static let ownMessages = "WALLET_BACKUP_"

  /// The next call for the app, as JSON text: `call`, and its arguments `uids` and `pw_dids`. `msgType` and `sender`
  /// are from the notification, or null.
  package var call: String {
    let isOwn = messageType?.hasPrefix(Self.ownMessages) ?? false
    let call: JSON = [
      "call": isOwn ? "vcx_download_agent_messages" : "vcx_messages_download", "uids": .string(uid),
      "pw_dids": .string(pairwiseDID), "msgType": JSON(messageType), "sender": JSON(senderName),
    ]
    return call.text
  }

  private static func content(of object: JSONObject) -> JSONObject {
    object["message"]?["data"]?.object ?? object["data"]?.object ?? object
  }

  /// `metaData`, an object or its text.
  private static func details(in content: JSONObject) -> JSONObject {
    let value = content["metaData"]
    return value?.object ?? value?.string.flatMap { try? JSON(parsing: $0).object } ?? [:]
  }

  private static let maximumUID = 128

  private static func uid(in content: JSONObject) throws(JSONError) -> String {
    let uid = try first(uidKeys, content)
    let isListable = uid.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: ",") }
    guard !uid.isEmpty, uid.utf8.count <= maximumUID, isListable else {
      throw .wrongType(key: uidKeys.first { content[$0] != nil }, expected: "the id of a message")
    }
    return uid
  }

  private static func did(in content: JSONObject) throws(JSONError) -> String {
    let text = try first(didKeys, content)
    guard let did = try? DID(text) else {
      throw .wrongType(key: didKeys.first { content[$0] != nil }, expected: "a DID")
    }
    return did.text
  }

  private static func first(_ keys: [String], _ content: JSONObject) throws(JSONError) -> String {
    try content.string(keys.first { content[$0] != nil } ?? keys[0])
  }

  /// Agencies write `unknown` or an empty text if they know nothing.
  private static func known(_ value: JSON?) -> String? {
    value?.string.flatMap { ["", "unknown"].contains($0) ? nil : $0 }
  }
}
