import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

/// One side with keys from a seed: the same bytes in every run.
private struct Side {
  let key: KeyPair
  let party: ProprietaryParty

  init(_ seed: UInt8, endpoint: String = "http://agency.example/agency/msg", publicDID: String? = nil) throws {
    func pair(_ last: UInt8) throws -> KeyPair {
      try KeyPair(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 31) + [last]))
    }
    key = try pair(0)
    let (mailbox, agency) = (try pair(1).verkey, try pair(2).verkey)
    party = ProprietaryParty(
      key: key, mailbox: .init(did: mailbox.did.text, verkey: mailbox),
      agency: .init(did: agency.did.text, verkey: agency), endpoint: endpoint, name: "Side \(seed)",
      logoURL: "http://logo.example/\(seed)", publicDID: publicDID)
  }
}

@Suite struct ProprietaryConnectionTests {
  fileprivate let faber: Side
  fileprivate let alice: Side
  let inviter: ConnectionMachine
  let invitation: ProprietaryInvitation
  let reply = Reply(id: "reply")

  init() throws {
    faber = try Side(1, publicDID: "9QjmAbQLX1BvBRtM4qDAry")
    alice = try Side(2)
    var connection = ProprietaryConnection(sourceID: "alice")
    connection.invite(by: ProprietaryInvitation(id: "invitation-1", from: faber.party))
    inviter = .proprietary(connection)
    invitation = try #require(connection.invitation)
  }

  private func connection(_ machine: ConnectionMachine) throws -> ProprietaryConnection {
    guard case .proprietary(let connection) = machine else { throw NoConnection() }
    return connection
  }

  private struct NoConnection: Error {}

  private func acceptance() throws -> (invitee: ProprietaryConnection, message: JSON, address: Service) {
    var invitee = ProprietaryConnection(
      sourceID: "faber", invitation: try ProprietaryInvitation(invitation.abbreviated))
    guard case .send(let message, let address) = try invitee.accept(id: "answer-1", as: alice.party) else {
      throw NoConnection()
    }
    return (invitee, message, address)
  }

  private func redirection(of key: KeyPair? = nil) -> Redirection {
    Redirection(
      did: faber.party.did, verkey: faber.party.verkey, publicDID: nil, to: key ?? alice.key, ownPublicDID: nil)
  }

  private func redirect(_ redirection: Redirection) throws -> (invitee: ProprietaryConnection, message: JSON) {
    var invitee = ProprietaryConnection(sourceID: "faber", invitation: invitation)
    guard case .send(let message, _) = try invitee.redirect(id: "answer-1", to: redirection) else {
      throw NoConnection()
    }
    return (invitee, message)
  }

  private func golden(_ name: String, _ connection: ProprietaryConnection) throws {
    let text: JSON = ["data": .object(connection.record), "version": "1.0"]
    #expect(try Fixtures.json("connections/proprietary-\(name).json") == text)
    #expect(try ProprietaryConnection(record: connection.record) == connection)
  }

  // MARK: Steps

  @Test func anAcceptanceConnectsBothSides() throws {
    let (invitee, message, address) = try acceptance()
    #expect(invitee.state == .accepted && invitee.theirDID == faber.party.did)
    #expect(address == faber.party.service && invitee.address == address)
    #expect(message["@type"] == "did:sov:123456789abcdefghi1234;spec/connecting/0.6/ACCEPT_CONN_REQ")
    #expect(message["replyToMsgId"] == "invitation-1" && message["answerStatusCode"] == "MS-104")

    var machine = inviter
    let action = try machine.receive(Message(message), from: .envelope(alice.key.verkey), reply: reply)
    #expect(action == .nothing)
    let connected = try connection(machine)
    #expect(connected.state == .accepted && connected.theirDID == alice.party.did)
    #expect(machine.role == .inviter && ConnectionMachine.proprietary(invitee).role == .invitee)
    #expect(connected.theirVerkey == alice.key.verkey && connected.address == alice.party.service)

    try golden("planned", ProprietaryConnection(sourceID: "alice"))
    try golden("offered", connection(inviter))
    try golden("accepted", invitee)
    try golden("inviter-accepted", connected)
  }

  @Test func aRedirectionNamesTheOtherConnectionToBothSides() throws {
    let redirection = redirection()
    let (invitee, message) = try redirect(redirection)
    #expect(invitee.state == .redirected && invitee.address == nil)
    #expect(message["@type"] == "did:sov:123456789abcdefghi1234;spec/connecting/0.6/REDIRECT_CONN_REQ")
    #expect(message["answerStatusCode"] == "MS-107")

    var machine = inviter
    let action = try machine.receive(Message(message), from: .envelope(alice.key.verkey), reply: reply)
    #expect(action == .nothing)
    let redirected = try connection(machine)
    #expect(redirected.state == .redirected && redirected.address == nil)
    #expect(redirected.record["redirect_detail"] == .object(redirection.json))
    #expect(redirected.record["redirect_detail"]?["theirDID"] == .string(alice.party.did))

    try golden("redirected", invitee)
    try golden("inviter-redirected", redirected)
  }

  @Test func aStepThatIsOverIsNotRepeated() throws {
    var (invitee, message, _) = try acceptance()
    #expect(try invitee.accept(id: "answer-2", as: faber.party) == .nothing)
    #expect(try invitee.redirect(id: "answer-2", to: redirection()) == .nothing)
    var machine = inviter
    _ = try machine.receive(Message(message), from: .envelope(alice.key.verkey), reply: reply)
    let connected = machine
    for replayed in [message, try redirect(redirection()).message] {
      #expect(try machine.receive(Message(replayed), from: .envelope(alice.key.verkey), reply: reply) == .leave)
    }
    #expect(machine == connected)
    var later = try connection(connected)
    later.invite(by: ProprietaryInvitation(id: "invitation-2", from: faber.party))
    #expect(later == (try connection(connected)))
  }

  // MARK: Refusals

  private func refuse(_ message: JSON, from sender: Sender, with error: ProtocolError) throws {
    var machine = inviter
    #expect(throws: error) { try machine.receive(Message(message), from: sender, reply: reply) }
    #expect(machine == inviter)
  }

  @Test func anAnswerMustComeFromTheKeyThatItNames() throws {
    let mallory = KeyPair().verkey
    for message in [try acceptance().message, try redirect(redirection()).message] {
      for sender in [mallory, nil] { try refuse(message, from: .envelope(sender), with: .notFromPeer) }
      var other = message
      other["replyToMsgId"] = "invitation-2"
      try refuse(other, from: .envelope(alice.key.verkey), with: .wrongThread)
    }
  }

  @Test(arguments: [
    ["senderDetail", "agentKeyDlgProof", "agentDID"], ["senderDetail", "agentKeyDlgProof", "agentDelegatedKey"],
    ["senderDetail", "agentKeyDlgProof", "signature"], ["senderDetail", "DID"], ["senderAgencyDetail", "verKey"],
    ["senderAgencyDetail", "endpoint"],
  ]) func anAcceptanceMustNameAMailboxThatItsKeyHasSignedFor(path: [String]) throws {
    let message = try acceptance().message.replacing(path[...], with: "ftp://x")
    var machine = inviter
    #expect(throws: ProtocolError.self) {
      try machine.receive(Message(message), from: .envelope(alice.key.verkey), reply: reply)
    }
    #expect(machine == inviter)
  }

  /// DID and key are signed without a separator: one signature is over each cut of the text.
  @Test func theDIDOfAMailboxFollowsFromItsKey() throws {
    let mailbox = KeyPair().verkey
    for (did, isTaken) in [(mailbox.did.text, true), (alice.party.did, false), ("1", false)] {
      let signature = alice.key.sign(Array((did + mailbox.text).utf8))
      let changed = try acceptance().message.replacing(
        ["senderDetail", "agentKeyDlgProof"],
        with: [
          "agentDID": .string(did), "agentDelegatedKey": .string(mailbox.text),
          "signature": .string(Base64.encode(signature, .standard)),
        ])
      var machine = inviter
      _ = try? machine.receive(Message(changed), from: .envelope(alice.key.verkey), reply: reply)
      #expect((machine != inviter) == isTaken)
    }
  }

  @Test func theOtherConnectionHasTheDIDOfItsKey() throws {
    for did in [alice.party.did, ""] {
      let message = try redirect(redirection()).message.replacing(["redirectDetail", "DID"], with: .string(did))
      var machine = inviter
      #expect(throws: ProtocolError.self) {
        try machine.receive(Message(message), from: .envelope(alice.key.verkey), reply: reply)
      }
      #expect(machine == inviter)
    }
  }

  /// The protocol has no answer to an acceptance.
  @Test func theFirstMessageOfAnInviterProvesItsKey() throws {
    let invitee = try acceptance().invitee
    var machine = ConnectionMachine.proprietary(invitee)
    let message = try Message(ProprietaryMessage(id: "m", text: "hello", options: [:]).json)
    for sender in [KeyPair().verkey, nil] {
      #expect(try machine.receive(message, from: .envelope(sender), reply: reply) == .leave)
      #expect(try !connection(machine).isProven)
    }
    #expect(try machine.receive(message, from: .envelope(faber.key.verkey), reply: reply) == .leave)
    let proven = try connection(machine)
    #expect(try proven.isProven && ProprietaryConnection(record: proven.record) == proven)
    let other = ProprietaryInvitation(id: "invitation-2", from: faber.party).json
    #expect(try #require(KnownInviter(of: proven)).isInviter(of: InviterIdentity(of: other)))
    #expect(try !#require(KnownInviter(of: invitee)).isInviter(of: InviterIdentity(of: other)))
  }

  /// Anybody can copy an invitation with another way to its sender.
  @Test func aCopyWithAnotherAgencyIsAnotherInvitation() throws {
    let invitee = try acceptance().invitee
    let known = try #require(KnownInviter(of: invitee))
    #expect(known.isOf(InviterIdentity(of: invitation.json)))
    #expect(known.isOf(InviterIdentity(of: invitation.abbreviated)))
    for path in [["senderAgencyDetail", "endpoint"], ["senderDetail", "agentKeyDlgProof", "agentDID"]] {
      let copy = invitation.json.replacing(path[...], with: "http://mallory.example")
      #expect(!known.isOf(InviterIdentity(of: copy)))
    }
  }

  @Test(arguments: ["theirDID", "signature"]) func aRedirectionMustBeSigned(member: String) throws {
    let message = try redirect(redirection()).message
    let foreign = try redirect(redirection(of: KeyPair())).message["redirectDetail"]?[member]
    let changed = message.replacing(["redirectDetail", member], with: try #require(foreign))
    try refuse(changed, from: .envelope(alice.key.verkey), with: .wrongSigner)
  }

  /// The key has signed for a DID that is another's.
  @Test func aRedirectionNamesTheDIDOfItsKey() throws {
    let foreign = KeyPair().verkey.did.text
    let signature = alice.key.sign(Array((foreign + alice.key.verkey.text).utf8))
    let message = try redirect(redirection()).message
      .replacing(["redirectDetail", "theirDID"], with: .string(foreign))
      .replacing(["redirectDetail", "signature"], with: .string(Base64.encode(signature, .standard)))
    try refuse(message, from: .envelope(alice.key.verkey), with: .wrongSigner)
  }

  @Test(arguments: [
    ["@id"], ["replyToMsgId"], ["senderDetail"], ["senderAgencyDetail"], ["senderDetail", "verKey"],
    ["senderDetail", "agentKeyDlgProof"],
  ]) func anAcceptanceNeedsAllItsMembers(path: [String]) throws {
    for wrong in [1, "x"] as [JSON] where path.count > 1 || wrong == 1 {
      let message = try acceptance().message.replacing(path[...], with: wrong)
      #expect(throws: MessageError.self) { try Message(message) }
    }
  }

  @Test(arguments: ["DID", "verKey", "theirDID", "theirVerKey", "signature", "publicDID"])
  func aRedirectionNeedsAllItsMembers(member: String) throws {
    let message = try redirect(redirection()).message.replacing(["redirectDetail", member], with: 1)
    #expect(throws: MessageError.self) { try Message(message) }
  }

  @Test func anInvitationThatNoKeyHasSignedForIsNotAnswered() throws {
    let path = ["senderDetail", "agentKeyDlgProof", "agentDelegatedKey"]
    let tampered = invitation.json.replacing(path[...], with: .string(alice.key.verkey.text))
    let invited = ProprietaryConnection(sourceID: "faber", invitation: try ProprietaryInvitation(tampered))
    var invitee = invited
    #expect(throws: InvitationError.self) { try invitee.accept(id: "answer-1", as: alice.party) }
    #expect(throws: InvitationError.self) { try invitee.redirect(id: "answer-1", to: redirection()) }
    #expect(invitee == invited)
  }

  /// As Evernym's library stores a connection that it has accepted.
  @Test func anInviterOfAnotherLibraryHasNoAddress() throws {
    var record = try acceptance().invitee.record
    #expect(try ProprietaryConnection(record: record).address != nil)
    record["invite_detail"]?["accept"] = nil
    #expect(try ProprietaryConnection(record: record).address == nil)
    record["invite_detail"] = nil
    #expect(try ProprietaryConnection(record: record).address == nil)
  }

  @Test func onlyAnInviterOfMSDKTakesEnvelopes() throws {
    #expect(try invitation.takesEnvelopes && ProprietaryInvitation(invitation.abbreviated).takesEnvelopes)
    #expect(try !ProprietaryInvitation(ProprietaryInvitationTests.full).takesEnvelopes)
  }

  @Test(arguments: [
    "agent_did", "agent_vk", "endpoint", "pw_did", "pw_verkey", "source_id", "their_pw_did", "their_pw_verkey", "uuid",
    "state",
  ]) func aStoredConnectionNeedsAllItsMembers(member: String) throws {
    for wrong in [nil, []] as [JSON?] {
      var record = try connection(inviter).record
      record[member] = wrong
      #expect(throws: JSONError.self) { try ProprietaryConnection(record: record) }
    }
  }

  /// Nothing could be sent to such an invitee.
  @Test func aStoredInviteeMustBeWhole() throws {
    var record = try connection(inviter).record
    record["their_detail"] = ["senderDetail": [:]]
    #expect(throws: JSONError.self) { try ProprietaryConnection(record: record) }
    record["their_detail"] = .object(alice.party.json)
    #expect(throws: Never.self) { try ProprietaryConnection(record: record) }
  }

  @Test func aMessageOfAnAriesProtocolHasNoEffect() throws {
    var machine = inviter
    let ping = Message.ping(TrustPing(id: "1", responseRequested: true))
    #expect(try machine.receive(ping, from: .envelope(KeyPair().verkey), reply: reply) == .leave)
    #expect(machine == inviter)
    var aries = ConnectionMachine.planned(.connection)
    #expect(try aries.receive(Message(acceptance().message), from: .envelope(KeyPair().verkey), reply: reply) == .leave)
    #expect(aries == .planned(.connection))
  }
}
