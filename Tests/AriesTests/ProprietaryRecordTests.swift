import JSON
import Sodium
import TestSupport
import Testing

@testable import Aries

/// The record that a proprietary connection keeps, in every form in which it is stored.
@Suite struct ProprietaryRecordTests {
  private static let publicDID = "9QjmAbQLX1BvBRtM4qDAry"

  private func party(publicDID: String? = nil) -> ProprietaryParty {
    let (mailbox, agency) = (KeyPair().verkey, KeyPair().verkey)
    return ProprietaryParty(
      key: KeyPair(), mailbox: .init(did: mailbox.did.text, verkey: mailbox),
      agency: .init(did: agency.did.text, verkey: agency), endpoint: "http://agency.example/agency/msg", name: "Alice",
      logoURL: nil, publicDID: publicDID)
  }

  private func invitation() -> ProprietaryInvitation { ProprietaryInvitation(id: "i", from: party()) }

  @Test(arguments: [nil, publicDID]) func anInviteeRecordsItsPublicDID(publicDID: String?) throws {
    var connection = ProprietaryConnection(sourceID: "s", invitation: invitation())
    _ = try connection.accept(id: "a", as: party(publicDID: publicDID))
    #expect(connection.record["public_did"] == JSON(publicDID))
  }

  @Test func anInviterRecordsThePublicDIDOfItsInvitee() throws {
    let (own, peer) = (party(), party(publicDID: Self.publicDID))
    var connection = ProprietaryConnection(sourceID: "s")
    connection.invite(by: ProprietaryInvitation(id: "i", from: own))
    var machine = ConnectionMachine.proprietary(connection)
    let answer = ProprietaryAnswer(id: "a", to: "i", .acceptance(peer))
    _ = try machine.receive(.proprietaryAnswer(answer), from: .envelope(peer.verkey), reply: Reply(id: "r"))
    guard case .proprietary(let connected) = machine else { throw Unexpected(machine: machine) }
    #expect(connected.record["their_public_did"] == .string(Self.publicDID))
  }

  @Test func aHangupEndsNoProprietaryConnection() throws {
    var connection = ProprietaryConnection(sourceID: "s", invitation: invitation())
    _ = try connection.accept(id: "a", as: party())
    for sender in [Sender.envelope(nil), .envelope(connection.theirVerkey)] {
      var machine = ConnectionMachine.proprietary(connection)
      #expect(try machine.receive(.hangup(Hangup(id: "h")), from: sender, reply: Reply(id: "r")) == .leave)
      #expect(machine == .proprietary(connection))
    }
  }

  @Test(arguments: [5, 7, 9, -1, 4_294_967_296]) func aStoredConnectionHasAKnownState(state: Int64) {
    var record = ProprietaryConnection(sourceID: "s").record
    record["state"] = .integer(state)
    #expect(throws: JSONError.wrongType(key: "state", expected: "the state of a connection")) {
      try ProprietaryConnection(record: record)
    }
  }

  @Test func aStoredInvitationMustBeWhole() throws {
    var record = ProprietaryConnection(sourceID: "s", invitation: invitation()).record
    #expect(throws: Never.self) { try ProprietaryConnection(record: record) }
    record["invite_detail"]?["connReqId"] = Optional<JSON>.none
    #expect(throws: InvitationError.self) { try ProprietaryConnection(record: record) }
  }
}
