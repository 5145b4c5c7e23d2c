import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// Handshakes that real inviters have answered, as they went over the wire.
@Suite struct RecordedHandshakeTests {
  static let connections = ["0.10-connections-ping", "0.12-connections-ack", "0.12-oob-connections-1.0"]
  static let exchanges = [
    "0.10-oob-didexchange-1.0", "0.12-oob-didexchange-1.0", "0.12-oob-didexchange-1.1",
    "0.12-oob-did-service-did-peer-2", "0.12-oob-did-service-did-peer-4", "1.7-oob-didexchange-1.0",
    "1.7-oob-didexchange-1.1", "1.7-oob-did-service-did-peer-2", "1.7-oob-did-service-did-peer-4",
  ]

  struct Recording {
    let invitation: Invitation
    let request: Message
    let response: JSON
    /// Where the reference implementation sent the next message.
    let peer: Service

    init(_ name: String) throws {
      let json = try Fixtures.json("handshakes/\(name).json").requireObject()
      let invitation = JSON.object(try json.object("invitation"))
      self.invitation =
        invitation["recipientKeys"] == nil
        ? .outOfBand(try OutOfBandInvitation(invitation)) : .connection(try ConnectionInvitation(invitation))
      request = try Message(.object(json.object("request")))
      response = .object(try json.object("response"))
      let then = try json.object("then")
      peer = Service(
        recipientKeys: try then.strings("recipientKeys").map { try VerKey($0) }, routingKeys: [],
        endpoint: try then.string("endpoint"))
    }

    var machine: ConnectionMachine {
      get throws {
        .requested(
          Requested(
            invitation: invitation, inviter: try #require(invitation.service), request: try #require(request.request)))
      }
    }
  }

  @Test(arguments: connections + exchanges) func theResponseCompletesTheConnection(name: String) throws {
    let recording = try Recording(name)
    var machine = try recording.machine
    let action = try machine.receive(
      try Message(recording.response), from: .envelope(recording.peer.recipientKeys[0]), reply: Reply(id: "last"))
    guard case .send(_, let service) = action, case .completed(let established) = machine else {
      Issue.record("\(action)")
      return
    }
    #expect(service == recording.peer)
    #expect(established.peer.service == recording.peer)
    #expect(established.role == .invitee)
  }

  @Test(arguments: connections + exchanges) func theFirstHandshakeOfTheInvitationIsPreferred(name: String) throws {
    let recording = try Recording(name)
    let request = try #require(recording.request.request)
    #expect(
      try ConnectionMachine(invitation: recording.invitation) == .invited(recording.invitation, request.handshake))
  }

  @Test(arguments: exchanges) func everyChangeOfTheSignedPartIsNoticed(name: String) throws {
    let recording = try Recording(name)
    let member = recording.response["did_doc~attach"] == nil ? "did_rotate~attach" : "did_doc~attach"
    let attachment = try #require(recording.response[member])
    let data = try #require(attachment["data"])
    let other = DetachedJWS(signing: [1], with: KeyPair()).json

    for (part, value) in [
      ("base64", "ZGlkOnBlZXI6NA"), ("base64", nil), ("jws", nil), ("jws", [:]), ("jws", other),
    ] as [(String, JSON?)] {
      var changed = data
      changed[part] = value
      var response = recording.response
      response[member] = ["data": changed]
      try expectRefusal(of: response, recording)
    }
    var unsigned = recording.response
    unsigned[member] = nil
    // Without a signature an unqualified DID is a public one, as far as msdk can tell. Only the invitation's key presents it.
    let isPublic = member == "did_doc~attach"
    let inviter = try #require(recording.invitation.service?.recipientKeys.first)
    let missing = ProtocolError.badSignature(.malformed("no signature"))
    for (sender, expected) in [(nil, ProtocolError.notFromPeer), (inviter, .needsLedger)] {
      #expect(throws: isPublic ? expected : missing) {
        var machine = try recording.machine
        _ = try machine.receive(Message(unsigned), from: .envelope(sender), reply: Reply(id: "last"))
      }
    }
    if member == "did_rotate~attach" {
      var foreign = recording.response
      foreign["did"] = .string(PeerDID4(key: KeyPair().verkey, service: recording.peer).long)
      try expectRefusal(of: foreign, recording)
    }
  }

  func expectRefusal(of response: JSON, _ recording: Recording) throws {
    let message = try Message(response)
    var machine = try recording.machine
    do {
      let action = try machine.receive(message, from: .envelope(nil), reply: Reply(id: "last"))
      Issue.record("\(action)")
    } catch ProtocolError.badSignature, ProtocolError.wrongSigner {
      #expect(try machine == recording.machine)
    }
  }

  @Test(arguments: exchanges) func aResponseToAnotherInvitationIsRefused(name: String) throws {
    let recording = try Recording(name)
    let request = try #require(recording.request.request)
    let invitation = try Inviter().invitation()
    var machine = ConnectionMachine.requested(
      Requested(invitation: invitation, inviter: try #require(invitation.service), request: request))
    let response = try Message(recording.response)
    #expect(throws: ProtocolError.wrongSigner) {
      try machine.receive(response, from: .envelope(nil), reply: Reply(id: "last"))
    }
  }
}
