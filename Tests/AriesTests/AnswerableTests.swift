import Aries
import DIDComm
import JSON
import Testing

/// Messages that come without a connection, and where their answers go.
@Suite struct AnswerableTests {
  typealias Scene = ExchangeScene

  static func invitation(_ handshakes: JSON) throws -> OutOfBandInvitation {
    let service: JSON = [
      "id": "#inline", "type": "did-communication", "recipientKeys": [.string(Scene.peerKey.text)],
      "routingKeys": [.string(Scene.key(3).text)], "serviceEndpoint": "http://faber.example/didcomm",
    ]
    return try OutOfBandInvitation([
      "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation", "services": [service],
      "handshake_protocols": handshakes, "requests~attach": [["data": ["json": [:]]]],
    ])
  }

  @Test func anAttachedMessageTakesThreadAndServiceOfItsInvitation() throws {
    let request = try Scene.message("present_2_0", "request")
    let message = try Self.invitation([]).answerable(request.requireObject())
    let read = try PresentProofMessage(.request, .object(message))
    #expect(try read.replyService() == Scene.peerService)
    #expect(read.thread.thid == read.id)
    #expect(read.thread.pthid == "invitation")
  }

  @Test func overAConnectionTheConnectionIsTheWay() throws {
    let request = try Scene.message("present_2_0", "request")
    let invitation = try Self.invitation(["https://didcomm.org/connections/1.0"])
    let message = try invitation.answerable(request.requireObject())
    #expect(message["~service"] == nil)
    #expect(message["~thread"]?["pthid"] == "invitation")
  }

  @Test func theThreadOfAnAttachedMessageStays() throws {
    let request = try Scene.message("present_2_0", "request").with(["~thread": ["thid": "t"]])
    let message = try Self.invitation([]).answerable(request.requireObject())
    #expect(message["~thread"] == ["thid": "t", "pthid": "invitation"])
  }

  @Test func ownMembersOfTheMessageStay() throws {
    let request = try Scene.message("present_2_0", "request").with([
      "~thread": ["thid": "t", "pthid": "p"], "~service": ["recipientKeys": []],
    ])
    #expect(try Self.invitation([]).answerable(request.requireObject()) == request.requireObject())
  }

  @Test func aServiceIsReadInEachForm() throws {
    let offer = try Scene.message("issue_2_0", "offer")
    func service(_ decorator: JSON) throws -> Service? {
      try IssueCredentialMessage(.offer, offer.with(["~service": decorator])).replyService()
    }
    var without = offer
    without["~service"] = JSON.null
    #expect(try IssueCredentialMessage(.offer, without).replyService() == nil)
    #expect(try service(Scene.peerService.decorator) == Scene.peerService)
    let wrapped: JSON = [
      "recipientKeys": [.string(Scene.peerKey.didKey)], "serviceEndpoint": "http://faber.example/didcomm",
    ]
    let expected = Service(recipientKeys: [Scene.peerKey], endpoint: "http://faber.example/didcomm")
    #expect(try service(wrapped) == expected)
    let broken: [JSON] = [
      [:], "x", ["recipientKeys": [], "serviceEndpoint": "http://x"],
      ["recipientKeys": ["no key"], "serviceEndpoint": "http://x"],
      // Without its routing key, the service would be reached past its mediator.
      Scene.peerService.decorator.with(["routingKeys": ["no key"]]),
    ]
    for decorator in broken {
      #expect(throws: InvitationError.self) { try service(decorator) }
    }
  }
}
