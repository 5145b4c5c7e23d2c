import Aries
import JSON
import TestSupport
import Testing

/// The facts of a connection at each step of its handshake, for the application and for the peer.
extension ConnectionMachineTests {
  /// The application may show the DID before the handshake is over.
  @Test func eachSideKnowsTheDIDThatItHasPresented() throws {
    var conversation = try Conversation(by: .didExchange(.v1_1))
    let invitee = try #require(conversation.invitee.presentedDID)
    #expect(invitee.hasPrefix("did:peer:4") && conversation.inviter.presentedDID == nil)
    try conversation.respond()
    let inviter = try #require(conversation.inviter.presentedDID)
    #expect(inviter.hasPrefix("did:peer:4"))
    try conversation.finish()
    #expect(conversation.invitee.presentedDID == invitee && conversation.inviter.presentedDID == inviter)
  }

  @Test func anInviterKnowsItsPeerFromTheRequestOn() throws {
    var conversation = try Conversation(by: .connections)
    #expect(conversation.inviter.peer == nil && conversation.invitee.peer == nil)
    try conversation.respond()
    #expect(conversation.inviter.peer?.service == conversation.alice.own.service)
    #expect(conversation.invitee.peer == nil)
  }

  /// The inviter reads the invitee's name in the request, the invitee reads the inviter's in the invitation.
  @Test(arguments: Conversation.handshakes) func eachSideKnowsTheNameOfTheOther(handshake: Handshake) throws {
    var conversation = try Conversation(by: handshake)
    let (inviter, invitee) = (conversation.faber.name, "Alice")
    #expect(conversation.inviter.peerLabel == nil && conversation.invitee.peerLabel == inviter)
    try conversation.respond()
    #expect(conversation.inviter.peerLabel == invitee && conversation.invitee.peerLabel == inviter)
    try conversation.finish()
    #expect(conversation.inviter.peerLabel == invitee && conversation.invitee.peerLabel == inviter)
  }

  @Test func aNameIsKeptUpToAHundredCharacters() throws {
    let invitation = try Party("faber").invitation(.connection)
    for (given, kept) in [
      ("", nil), ("Älice", "Älice"), (String(repeating: "x", count: 101), String(repeating: "x", count: 100)),
    ]
      as [(String, String?)]
    {
      let (alice, faber) = (Party("alice"), Party("faber"))
      var invitee = try ConnectionMachine(invitation: invitation)
      let request = invitee.connect(label: given, as: alice.own, requestID: "request-1")
      var inviter = ConnectionMachine.offered(invitation)
      _ = try inviter.receive(request.message, from: alice.sender, reply: faber.reply())
      #expect(inviter.peer != nil && inviter.peerLabel == kept)
    }
  }

  @Test func eachStateHasItsRoleAndItsName() throws {
    let planned = ConnectionMachine.planned(.connection)
    #expect(planned.role == .inviter && planned.state == .planned && planned.invitation == nil)
    var conversation = try Conversation(by: .connections)
    #expect(conversation.inviter.role == .inviter && conversation.inviter.state == .offered)
    #expect(conversation.invitee.role == .invitee && conversation.invitee.state == .requested)
    try conversation.respond()
    #expect(conversation.inviter.role == .inviter && conversation.inviter.state == .responded)
    try conversation.finish()
    #expect(conversation.inviter.role == .inviter && conversation.inviter.state == .completed)
    #expect(conversation.invitee.role == .invitee && conversation.invitee.state == .completed)
    for machine in [conversation.inviter, conversation.invitee] { #expect(machine.invitation?.id == "invitation-1") }
    // Nobody connects: the answer to the attached message is all that is awaited.
    let request: JSON = ["@type": "https://didcomm.org/x/1.0/y", "@id": "1"]
    let bare = try conversation.faber.invitation(.outOfBand(handshake: false, request: request))
    #expect(ConnectionMachine.offered(bare).state == .completed && ConnectionMachine.offered(bare).role == .inviter)
  }

  /// The invitation is the thread of the connection, or its parent.
  @Test func theThreadLeadsToTheInvitation() throws {
    let conversation = try Conversation(by: .connections)
    #expect(conversation.inviter.thread == Thread(thid: "invitation-1"))
    #expect(conversation.invitee.thread == Thread(thid: "request-1", pthid: "invitation-1"))
    let invitation = try conversation.faber.invitation(.outOfBand())
    #expect(try ConnectionMachine(invitation: invitation).thread == Thread(thid: "invitation-1"))
    let request: JSON = ["@type": "https://didcomm.org/x/1.0/y", "@id": "1"]
    let bare = try conversation.faber.invitation(.outOfBand(handshake: false, request: request))
    #expect(try ConnectionMachine(invitation: bare).thread.pthid == "invitation-1")
  }
}
