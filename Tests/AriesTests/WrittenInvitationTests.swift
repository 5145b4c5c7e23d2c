import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// The members of invitations that other implementations read.
@Suite struct WrittenInvitationTests {
  let faber = Party("faber")

  private func invitation(
    _ plan: InvitationPlan, imageURL: String? = nil, publicDID: String? = nil, version: OutOfBandVersion = .v1_1
  ) throws -> JSON {
    try plan.invitation(
      id: "i", from: .init(label: "Faber", imageURL: imageURL, publicDID: publicDID, service: faber.own.service),
      version: version
    ).json.value
  }

  @Test func aPictureHasBothOfItsNames() throws {
    for plan in [.connection, try .outOfBand()] as [InvitationPlan] {
      let json = try invitation(plan, imageURL: "http://logo", publicDID: "did:sov:WgWxqztrNooG92RXvxSTWv")
      #expect(json["imageUrl"] == "http://logo" && json["profileUrl"] == "http://logo")
      #expect(json["public_did"] == "did:sov:WgWxqztrNooG92RXvxSTWv" && json["label"] == "Faber")
      let bare = try invitation(plan).requireObject().keys
      #expect(!bare.contains("imageUrl") && !bare.contains("profileUrl") && !bare.contains("public_did"))
    }
  }

  @Test func bothFormsTellTheirInviter() throws {
    for plan in [.connection, try .outOfBand()] as [InvitationPlan] {
      let json = try invitation(plan, imageURL: "http://logo", publicDID: "did:sov:WgWxqztrNooG92RXvxSTWv")
      let invitation: Invitation =
        plan == .connection ? .connection(try ConnectionInvitation(json)) : .outOfBand(try OutOfBandInvitation(json))
      #expect(invitation.id == "i" && invitation.label == "Faber" && invitation.imageURL == "http://logo")
      #expect(invitation.publicDID == "did:sov:WgWxqztrNooG92RXvxSTWv" && invitation.json.value == json)
      #expect(invitation.service == faber.own.service && invitation.offersHandshake)
    }
  }

  /// RFC 0160 has base58, RFC 0434 has `did:key`. A reference to the key in a `did:key` would name the key twice.
  @Test func keysHaveTheFormOfTheirInvitation() throws {
    let service = faber.own.service
    let connection = try invitation(.connection)
    #expect(connection["recipientKeys"] == [.string(service.recipientKeys[0].text)])
    #expect(connection["routingKeys"] == [.string(service.routingKeys[0].text)])
    #expect(connection["serviceEndpoint"] == .string(service.endpoint))
    var block: JSON = [
      "id": "#inline", "type": "did-communication", "recipientKeys": [.string(service.recipientKeys[0].didKey)],
      "routingKeys": [.string(service.routingKeys[0].didKey)], "serviceEndpoint": .string(service.endpoint),
    ]
    #expect(try invitation(.outOfBand())["services"] == [block])
    block["recipientKeys"] = [.string(service.recipientKeys[0].didURL)]
    block["routingKeys"] = [.string(service.routingKeys[0].didURL)]
    #expect(try invitation(.outOfBand(), version: .v1_0)["services"] == [block])
  }

  /// An invitee takes the first that it knows.
  @Test func theNewestHandshakeComesFirst() throws {
    #expect(
      try invitation(.outOfBand())["handshake_protocols"] == [
        "https://didcomm.org/didexchange/1.1", "https://didcomm.org/didexchange/1.0",
        "https://didcomm.org/connections/1.0",
      ])
  }

  @Test func anInvitationToUnknownHandshakesIsNotAccepted() throws {
    let json = try invitation(.outOfBand()).with(["handshake_protocols": ["https://didcomm.org/didexchange/2.0"]])
    let unknown = Invitation.outOfBand(try OutOfBandInvitation(json))
    let reason = "it offers none of the handshakes connections/1.0, didexchange/1.0 and 1.1"
    #expect(throws: InvitationError.unsupported(reason)) { try ConnectionMachine(invitation: unknown) }
  }

  @Test func anInvitationThatNobodyCouldAnswerIsNotPlanned() {
    #expect(throws: InvitationError.unsupported("it would offer no handshake, and carry no request")) {
      try OutOfBandPlan(goalCode: nil, goal: "to talk", handshake: false, request: nil)
    }
  }

  /// Some agents drop the characters `-` and `_`: the standard alphabet is what all of them read.
  @Test func anAttachedRequestIsInTheStandardAlphabet() throws {
    let request: JSON = ["@id": "q", "@type": "x", "text": "???>>>~~~ÿÿÿ"]
    let json = try Party("faber").invitation(.outOfBand(request: request)).json.value
    let data = try #require(json["requests~attach"]?.array?.first?["data"]?["base64"]?.string)
    #expect(data.contains("/") && !data.contains("-") && !data.contains("_"))
    #expect(try JSON(parsing: Base64.decode(data, .standard))["text"] == request["text"])
  }
}
