import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// The members of an invitation, and the messages of a connection, that have several forms or versions.
@Suite struct InvitationDetailTests {
  let inviter = Inviter()

  private func service(_ members: [String: JSON] = [:]) -> JSON {
    let key = JSON.string(inviter.invitationKey.verkey.text)
    return (["recipientKeys": [key], "serviceEndpoint": "http://a"] as JSON).with(members)
  }

  private func outOfBand(_ members: [String: JSON]) -> JSON {
    let common: JSON = [
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "1",
      "handshake_protocols": ["https://didcomm.org/connections/1.0"],
    ]
    return common.with(members)
  }

  @Test func theNewerNameOfTheServicesCounts() throws {
    let json = outOfBand(["services": [service()], "service": [service(["serviceEndpoint": "http://old"])]])
    #expect(try Invitation.outOfBand(OutOfBandInvitation(json)).service?.endpoint == "http://a")
  }

  /// Connections of Evernym's library may have such a key. They are restored, and nothing is sent past a mediator.
  @Test func aStoredInvitationMayHaveAMalformedRoutingKey() throws {
    let broken: [String: JSON] = ["routingKeys": ["no key"]]
    let (one, other) = (outOfBand(["services": [service(broken)]]), inviter.invitationJSON.with(broken))
    let error = InvitationError.malformed("routingKeys holds something that is no key")
    #expect(throws: error) { try OutOfBandInvitation(one) }
    #expect(throws: error) { try ConnectionInvitation(other) }
    for invitation in [
      Invitation.outOfBand(try OutOfBandInvitation(one, isStored: true)),
      .connection(try ConnectionInvitation(other, isStored: true)),
    ] {
      let service = try #require(invitation.service)
      #expect(throws: EnvelopeError.malformedRoutingKey) { try service.pack([1], from: nil) }
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

  @Test func aReuseIsAcceptedInItsVersion() throws {
    for minor in [0, 1] {
      let reuse = HandshakeReuse(id: "1", invitation: "2", minor: minor)
      let type = JSON.string("https://didcomm.org/out-of-band/1.\(minor)/handshake-reuse-accepted")
      #expect(HandshakeReuseAccepted(id: "3", to: reuse).json["@type"] == type)
    }
  }

  /// RFC 0035 has the code in the description; the handshakes' own member is older.
  @Test func theCodeInTheDescriptionCounts() throws {
    let report = ProblemReport(["problem-code": "old", "description": ["code": "new", "en": "x"]])
    #expect(report.code == "new")
  }

  @Test func aProtocolHasItsRolesUnderBothPrefixes() throws {
    let query = FeatureQuery(id: "q", query: "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/trust_ping/*", comment: nil)
    #expect(
      FeatureDisclosure(id: "d", to: query).protocols == [
        SpokenProtocol(id: "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/trust_ping/1.0", roles: ["sender", "receiver"])
      ])
  }

  @Test func anAttachmentWithBothFormsIsReadFromItsJSON() throws {
    let data: JSON = ["json": ["a": 1], "base64": "eyJhIjoyfQ=="]
    #expect(try Attachment(firstOf: ["~attach": [["data": data]]]).content == #"{"a":1}"#)
  }

  @Test func aCommittedQuestionHasItsExpiry() throws {
    let timing: [String: JSON] = ["~timing": ["expires_time": "2026-11-20T08:37:54Z"]]
    let question = try StructuredQuestion(QuestionTests.committed.with(timing))
    #expect(question.expiry == StructuredQuestion.question(try Question(QuestionTests.question.requireObject())).expiry)
    #expect(question.expiry != nil)
  }

  /// The first version of the protocol (RFC 0183) takes nothing back.
  @Test func onlyTheSecondVersionTakesARevocationBack() throws {
    let type = "https://didcomm.org/revocation_notification/1.0/unrevoke"
    let json = try ExchangeScene.revocation("1.0").with(["@type": .string(type)])
    #expect(try Message(json) == .other(type: type))
  }

  /// The program applies the notification itself, so that it stays in the mailbox.
  @Test func aRevocationThatIsConfirmedStaysForTheApplication() throws {
    let scene = try ConnectionMachineTests.Scene("connected invitee")
    var machine = scene.machine
    let asking = try Message(ExchangeScene.revocation("2.0").with(["~please_ack": [:]]))
    let action = try machine.receive(asking, from: scene.peer.sender, reply: scene.me.reply())
    guard case .sendAndLeave(_, scene.peer.own.service) = action else { throw NothingSent(action: action) }
    #expect(machine == scene.machine)
  }
}
