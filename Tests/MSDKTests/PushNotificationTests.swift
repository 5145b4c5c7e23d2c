import JSON
import MSDK
import Testing

@Suite struct PushNotificationTests {
  static let did = "SnTKP3E2D6Y8zE4p62Le3n"

  @Test(arguments: [
    // what an agency posts to a sponsor
    #"{"msgId":"uid-1","msgType":"aries","sponseeDetails":"phone","relationshipDid":"\#(did)","metaData":{"msgType":"credOffer","msgSenderName":"Faber"}}"#,
    // the same through Firebase, where every value is a text
    #"{"data":{"msgId":"uid-1","msgType":"aries","relationshipDid":"\#(did)","metaData":"{\"msgType\":\"credOffer\",\"msgSenderName\":\"Faber\"}"}}"#,
    #"{"message":{"token":"x","data":{"uid":"uid-1","forDID":"\#(did)","type":"credOffer","msgSenderName":"Faber"}}}"#,
    // what older agencies sent to Firebase, as a phone gets it
    #"{"uid":"uid-1","forDID":"\#(did)","type":"credOffer","msgSenderName":"Faber","aps":{"content-available":1}}"#,
  ])
  func everyFormLeadsToTheMessage(payload: String) throws {
    let notification = try PushNotification(parsing: payload)
    #expect(notification.uid == "uid-1" && notification.pairwiseDID == Self.did)
    let expected: JSON = [
      "call": "vcx_messages_download", "uids": "uid-1", "pw_dids": .string(Self.did), "msgType": "credOffer",
      "sender": "Faber",
    ]
    #expect(try JSON(parsing: notification.call) == expected)
  }

  @Test(arguments: ["WALLET_BACKUP_READY", "WALLET_BACKUP_ACK", "WALLET_BACKUP_RESTORED"])
  func theAgencysOwnMessagesAreDownloadedByAnotherCall(type: String) throws {
    let payload: JSON = [
      "msgId": "uid-1", "relationshipDid": .string(Self.did), "metaData": ["msgType": .string(type)],
    ]
    let call = try JSON(parsing: PushNotification(parsing: payload.text).call)
    #expect(call["call"] == "vcx_download_agent_messages" && call["uids"] == "uid-1")
  }

  @Test(arguments: [
    #"{"msgUid":"uid-1","pwDid":"\#(did)","msgStatusCode":"MS-103"}"#,
    #"{"msgUid":"uid-1","pwDid":"\#(did)","msgType":"unknown"}"#,
    #"{"msgId":"uid-1","relationshipDid":"\#(did)","msgType":null,"metaData":null}"#,
    #"{"msgId":"uid-1","relationshipDid":"\#(did)","metaData":{"msgType":"","msgSenderName":""}}"#,
    #"{"msgId":"uid-1","relationshipDid":"\#(did)","metaData":"no object","msgType":7}"#,
  ])
  func absentMembersOfANotificationAreNull(payload: String) throws {
    let call = try JSON(parsing: PushNotification(parsing: payload).call)
    #expect(call["msgType"] == .null && call["sender"] == .null && call["call"] == "vcx_messages_download")
    #expect(call["uids"] == "uid-1")
  }

  @Test(
    arguments: [
      (#"{}"#, .missing(key: "msgId")), (#"{"msgId":"1"}"#, .missing(key: "relationshipDid")),
      (#"{"data":{},"msgId":"1","relationshipDid":"\#(did)"}"#, .missing(key: "msgId")),
      (#"{"uid":7,"forDID":"\#(did)"}"#, .wrongType(key: "uid", expected: "a string")),
      (#"{"msgId":"","relationshipDid":"\#(did)"}"#, .wrongType(key: "msgId", expected: "the id of a message")),
      (#"{"msgId":"1,2","relationshipDid":"\#(did)"}"#, .wrongType(key: "msgId", expected: "the id of a message")),
      (#"{"msgId":"1 2","relationshipDid":"\#(did)"}"#, .wrongType(key: "msgId", expected: "the id of a message")),
      (#"{"uid":"1\u007f","forDID":"\#(did)"}"#, .wrongType(key: "uid", expected: "the id of a message")),
      (#"{"uid":"1,2","forDID":"\#(did)"}"#, .wrongType(key: "uid", expected: "the id of a message")),
      (#"{"uid":"1","forDID":"nobody"}"#, .wrongType(key: "forDID", expected: "a DID")),
      (#"[]"#, .wrongType(key: nil, expected: "an object")),
    ] as [(String, JSONError)])
  func aMalformedNotificationIsRefused(payload: String, error: JSONError) {
    #expect(throws: error) { try PushNotification(parsing: payload) }
  }

  @Test func anIDOfAnyLengthIsNotTaken() {
    let id = String(repeating: "x", count: 129)
    #expect(throws: JSONError.self) {
      try PushNotification(parsing: #"{"msgId":"\#(id)","relationshipDid":"\#(Self.did)"}"#)
    }
    let longest = String(id.dropLast())
    let read = try? PushNotification(parsing: #"{"msgId":"\#(longest)","relationshipDid":"\#(Self.did)"}"#)
    #expect(read?.uid == longest)
  }

  @Test(arguments: ["", "nonsense", "{\"msgId\":"]) func aTextThatIsNotJSONIsRefused(payload: String) {
    #expect(throws: JSONError.self) { try PushNotification(parsing: payload) }
  }
}
