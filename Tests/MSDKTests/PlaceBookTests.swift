import Aries
import CloudAgent
import JSON
import Testing

@testable import MSDK

extension SDKTests {
  /// The note of the last message that a connection has looked at.
  @Suite struct PlaceBookTests {
    let world: World

    init() throws { world = try World() }

    /// The program deletes it again, and finds no message that it has looked at.
    @Test func aMailboxThatCouldNotBeClosedKeepsItsPlace() throws {
      let connection = try world.completed()
      let book = PlaceBook(wallet: try world.session.wallet)
      book.note("uid-1", of: connection)
      world.agency.stop()
      #expect(throws: CloudAgentError.self) { try connection.delete(with: world.session) }
      #expect(book.place(of: connection) == "uid-1")
    }

    @Test func aPlaceHoldsForOneState() throws {
      var connection = try world.completed()
      let book = PlaceBook(wallet: try world.session.wallet)
      #expect(book.place(of: connection) == nil)
      book.note("uid-1", of: connection)
      #expect(book.place(of: connection) == "uid-1")
      guard case .completed(var facts) = connection.machine else {
        Issue.record("another state")
        return
      }
      facts.protocols = JSONText([["pid": "x"]])
      connection.machine = .completed(facts)
      #expect(book.place(of: connection) == "uid-1", "the peer's protocols decide about no message")
      let other = Completed(
        role: facts.role, peer: facts.peer, thread: Thread(thid: "another"), invitation: facts.invitation)
      connection.machine = .completed(other)
      #expect(book.place(of: connection) == nil)
      book.note("uid-2", of: connection)
      #expect(book.place(of: connection) == "uid-2")
      connection.machine = .planned(.connection)
      book.note("uid-3", of: connection)
      #expect(book.place(of: connection) == nil)
      connection.machine = .completed(other)
      #expect(book.place(of: connection) == "uid-2")
      book.strike(connection.pairwiseDID)
      #expect(book.place(of: connection) == nil)
    }

    /// The program can change any record.
    @Test func aBrokenNoteIsNoPlace() throws {
      let connection = try world.completed()
      let wallet = try world.session.wallet
      let book = PlaceBook(wallet: wallet)
      book.note("uid-1", of: connection)
      for value in ["{", "[]", #"{"last":"uid-1"}"#, #"{"state":"x","last":"uid-1"}"#] {
        try wallet.apply(.updateValue(type: "msdk.place", id: connection.pairwiseDID, value: value))
        #expect(book.place(of: connection) == nil)
      }
    }
  }
}
