import Aries
import JSON
import MSDK
import Testing

@Suite struct MessageTextTests {
  @Test(
    arguments: [
      (#"{"@id":"1","~thread":{"thid":"t"}}"#, "t"), (#"{"@id":"1","~thread":{"pthid":"p"}}"#, "1"),
      (#"{"@id":"1","~thread":{"thid":7}}"#, "1"), (#"{"@id":"1","~thread":null}"#, "1"), (#"{"@id":"1"}"#, "1"),
    ])
  func aMessageBelongsToAThread(text: String, thread: String) throws {
    #expect(try MessageText(parsing: text).threadID() == thread)
  }

  @Test(arguments: ["", "[]", "{}", "x", #"{"@id":1}"#, #"{"~thread":{"thid":"t"}}"#])
  func aMalformedMessageHasNoThread(text: String) {
    #expect(throws: JSONError.self) { try MessageText(parsing: text).threadID() }
  }

  @Test func theAttachedMessageIsHandedOut() throws {
    let invitation = #"{"@id":"1","request~attach":[{"data":{"json":{"@id": "2"}}}]}"#
    #expect(try MessageText(parsing: invitation).attachedMessage() == #"{"@id":"2"}"#)
    #expect(throws: AttachmentError.missing) { try MessageText(parsing: "{}").attachedMessage() }
  }

  @Test func theRequestOfAnInvitationGetsTheServiceForTheAnswer() throws {
    let service: JSON = [
      "id": "#inline", "type": "did-communication", "serviceEndpoint": "http://a",
      "recipientKeys": ["5VwLKnZuyaBnYHVzEQqcBiCfhcutCvUQb55XQqbtkXiS"],
    ]
    var invitation: JSON = [
      "@id": "1", "services": [service], "requests~attach": [["data": ["json": ["@id": "2"]]]],
    ]
    let message = try JSON(parsing: MessageText(parsing: invitation.text).attachedMessage())
    #expect(message["~thread"]?["pthid"] == "1")
    #expect(message["~service"]?["serviceEndpoint"] == "http://a")
    // Over a connection, the connection is the way of the answer.
    invitation["handshake_protocols"] = ["https://didcomm.org/connections/1.0"]
    #expect(try MessageText(parsing: invitation.text).attachedMessage() == #"{"@id":"2"}"#)
  }
}
