import Aries
import DIDComm
import JSON
import Testing

@Suite struct DIDMethodTests {
  static let methods: [DIDMethod] = [.unqualified, .peer2, .peer4]
  let alice = Party("alice")
  let faber = Party("faber")

  func invitation(presenting method: DIDMethod) throws -> Invitation {
    let did = method == .unqualified ? nil : method.did(of: faber.own)
    return try InvitationPlan.outOfBand().invitation(
      id: "invitation-1", from: .init(label: "Faber", service: faber.own.service, did: did))
  }

  /// Returns both sides after a DID exchange.
  func connected(
    _ version: DIDExchangeVersion, invitee: DIDMethod?, inviter: DIDMethod
  ) throws -> (alice: Completed, faber: Completed) {
    let invitation = try invitation(presenting: inviter)
    var one = try ConnectionMachine(invitation: invitation)
    var other = ConnectionMachine.planned(try .outOfBand())
    other.invite(invitation)
    let request = one.connect(
      label: "Alice", as: alice.own, requestID: "request-1", by: .didExchange(version), presenting: invitee)
    let response = try other.receive(request.message, from: alice.sender, reply: faber.reply("response"))
    let last = try one.receive(response.message, from: faber.sender, reply: alice.reply("last"))
    _ = try other.receive(last.message, from: alice.sender, reply: faber.reply())
    guard case .completed(let first) = one, case .completed(let second) = other else { throw NotConnected() }
    return (first, second)
  }

  struct NotConnected: Error {}

  @Test func anAttachedRequestNamesItsInvitation() throws {
    let plan = try InvitationPlan.outOfBand(request: ["@id": "q", "~thread": ["thid": "t"]])
    let content = try Attachment(firstOf: faber.invitation(plan).json.value).content
    #expect(try JSON(parsing: content)["~thread"]?["pthid"] == "invitation-1")
    #expect(try JSON(parsing: content)["~thread"]?["thid"] == "t")
  }

  @Test(arguments: methods, methods) func eachSideKnowsTheOtherByTheDIDThatItPresented(
    invitee: DIDMethod, inviter: DIDMethod
  ) throws {
    for version in [DIDExchangeVersion.v1_0, .v1_1] {
      let (one, other) = try connected(version, invitee: invitee, inviter: inviter)
      #expect(one.peer.did == other.presentedDID ?? faber.own.did)
      #expect(other.peer.did == one.presentedDID ?? alice.own.did)
      #expect(one.peer.service == faber.own.service && other.peer.service == alice.own.service)
      #expect(other.peer.did.hasPrefix(invitee == .unqualified ? alice.own.did : invitee.rawValue))
      if inviter != .unqualified { #expect(one.peer.did.hasPrefix(inviter.rawValue)) }
    }
  }

  @Test func withoutAMethodTheVersionDecides() throws {
    #expect(try connected(.v1_0, invitee: nil, inviter: .unqualified).alice.presentedDID == nil)
    let did = try connected(.v1_1, invitee: nil, inviter: .unqualified).alice.presentedDID
    #expect(did?.hasPrefix("did:peer:4") == true)
  }

  @Test func aResponseThatPresentsAPublicDIDNeedsALedger() throws {
    let invitation = try invitation(presenting: .unqualified)
    for did in ["did:sov:WgWxqztrNooG92RXvxSTWv", "WgWxqztrNooG92RXvxSTWv"] {
      var machine = try ConnectionMachine(invitation: invitation)
      _ = machine.connect(label: "Alice", as: alice.own, requestID: "request-1", by: .didExchange(.v1_0))
      let response = try Message([
        "@type": "https://didcomm.org/didexchange/1.0/response", "@id": "r", "~thread": ["thid": "request-1"],
        "did": .string(did),
      ])
      #expect(throws: ProtocolError.needsLedger) {
        try machine.receive(response, from: faber.sender, reply: alice.reply())
      }
    }
  }

  @Test func aRequestThatPresentsAPublicDIDNeedsALedger() throws {
    var machine = ConnectionMachine.planned(try .outOfBand())
    machine.invite(try invitation(presenting: .unqualified))
    let request = try Message([
      "@type": "https://didcomm.org/didexchange/1.0/request", "@id": "r", "label": "x",
      "did": "did:sov:WgWxqztrNooG92RXvxSTWv", "~thread": ["pthid": "invitation-1"],
    ])
    #expect(throws: ProtocolError.needsLedger) {
      try machine.receive(request, from: alice.sender, reply: faber.reply())
    }
  }
}
