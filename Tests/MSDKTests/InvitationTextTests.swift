import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

/// Invitations as users hand them over.
@Suite struct InvitationTextTests {
  static let older =
    #"{"@type":"https://didcomm.org/connections/1.0/invitation","@id":"older","label":"Faber","#
    + #""recipientKeys":["GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL"],"serviceEndpoint":"http://a.example"}"#
  static let outOfBand =
    #"{"@type":"https://didcomm.org/out-of-band/1.1/invitation","@id":"newer","label":"Faber","#
    + #""handshake_protocols":["https://didcomm.org/didexchange/1.0"],"services":[{"id":"service","type":"#
    + #""did-communication","recipientKeys":["did:key:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH"],"#
    + #""serviceEndpoint":"http://a.example"}]}"#

  private func accepted(_ given: String, sourceID: String? = nil) throws -> Connection {
    let invitation = try InvitationText(given).resolved(reach: .anywhere, trusting: nil)
    return try Connection(sourceID: sourceID, accepting: invitation)
  }

  @Test(arguments: [older, outOfBand]) func eachFormIsTaken(invitation: String) throws {
    #expect(try accepted(invitation, sourceID: "faber").sourceID == "faber")
    #expect(try accepted(invitation).state.number == 2)
  }

  /// A program finds its connections by their names, so an inviter must not choose one.
  @Test(arguments: [older, outOfBand, "did:sov:V4SGRU86Z58d6TV7PBUe6f"])
  func theInvitationGivesTheConnectionNoName(invitation: String) throws {
    let names = try [accepted(invitation).sourceID, accepted(invitation).sourceID]
    #expect(names[0] != names[1] && names.allSatisfy { $0.count == 36 })
  }

  @Test(arguments: [older, outOfBand]) func aURLIsTakenWithAllThatWasCopiedAroundIt(invitation: String) throws {
    let base64 = Base64.encode(Array(invitation.utf8), .url)
    for url in [
      "http://a.example?oob=\(base64)", " <http://a.example?oob=\(base64)>\n", "\"http://a.example?c_i=\(base64)\"",
    ] {
      #expect(try accepted(url).invitationText == accepted(invitation).invitationText)
    }
  }

  @Test func thePublicDIDOfAnInviterIsAnInvitation() throws {
    let connection = try accepted("did:sov:V4SGRU86Z58d6TV7PBUe6f")
    #expect(connection.state.number == 2)
    #expect(throws: (any Error).self) { try accepted("did:example:1") }
  }

  @Test(arguments: [older, outOfBand]) func theInviterIsTheOneWhoGetsTheRequest(invitation: String) throws {
    var json = try JSON(parsing: invitation)
    let honest = try accepted(invitation).inviter
    #expect(honest?.endpoint == "http://a.example" && honest?.label == "Faber" && honest?.publicDID == nil)
    let isOlder = json["services"] == nil
    #expect(
      honest?.key
        == (isOlder ? "GJ1SzoWzavQYfNL9XkaJdrQejfztN4XqdsiV4ct3LXKL" : "B12NYF8RrR3h41TDCTJojY59usg3mbtbjnFs7Eud1Y6u"))
    if isOlder {
      json["did"] = "did:sov:V4SGRU86Z58d6TV7PBUe6f"
    } else {
      json["recipientKeys"] = ["8HH5gYEeNc3z7PYXmd54d4x6qAfCNrqQqEB3nS7Zfu7K"]
      json["serviceEndpoint"] = "http://b.example"
    }
    #expect(try accepted(json.text).inviter == honest)
    let named = try accepted("did:sov:V4SGRU86Z58d6TV7PBUe6f").inviter
    #expect(named?.publicDID == "did:sov:V4SGRU86Z58d6TV7PBUe6f" && named?.key == nil && named?.endpoint == nil)
    #expect(Connection(sourceID: "x", inviting: .connection).inviter == nil)
  }

  @Test(arguments: ["", "hello", "{", "[]", "{}", "http://a.example?oob=%%%"])
  func anUnusableTextIsRefused(given: String) {
    #expect(throws: (any Error).self) { try accepted(given) }
  }
}
