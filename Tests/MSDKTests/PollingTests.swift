import Aries
import DIDComm
import JSON
import MSDK
import Sodium
import Testing
import Wallet

extension SDKTests {
  /// Polling leaves messages for others alone.
  @Suite final class PollingTests {
    let world: World
    let meter: Meter

    init() throws {
      var meter: Meter?
      world = try World(behind: { agency in
        meter = try Meter(agency.endpoint)
        return meter
      })
      self.meter = try #require(meter)
    }

    deinit { meter.stop() }

    /// Messages for the application.
    func send(_ count: Int) throws {
      let content = String(repeating: "x", count: 1000)
      for number in 0..<count { try world.inviter.send(BasicMessage(id: "\(number)", content: content).json) }
    }

    func ping(_ id: String) throws { try world.inviter.send(TrustPing(id: id, responseRequested: true).json) }

    /// The ids of the pings that were answered.
    func answered() throws -> [String] {
      try world.inviter.received().map(\.json)
        .filter { $0["@type"]?.string?.hasSuffix("ping_response") == true }
        .compactMap { $0["~thread"]?["thid"]?.string }
    }

    @Test func messagesForTheApplicationAreDownloadedOnce() throws {
      var connection = try world.completed()
      try send(200)
      let first = try meter.measure { try connection.poll(with: world.session) }
      let second = try meter.measure { try connection.poll(with: world.session) }
      #expect(second.answers == 1)
      #expect(second.bytes * 10 < first.bytes, "\(second) after \(first)")

      try ping("late")
      let third = try meter.measure { try connection.poll(with: world.session) }
      #expect(try answered() == ["late"])
      // The ping, and its mark.
      #expect(third.answers == 2)
      #expect(third.bytes * 10 < first.bytes, "\(third) after \(first)")
      let fourth = try meter.measure { try connection.poll(with: world.session) }
      #expect(fourth.answers == 1)
    }

    /// However many messages wait for the application: their ids are not listed again.
    @Test func messagesForTheApplicationAreListedOnce() throws {
      var connection = try world.completed()
      try send(100)
      let first = try meter.measure { try connection.poll(with: world.session) }
      let second = try meter.measure { try connection.poll(with: world.session) }
      #expect(second.answers == 1)
      #expect(second.bytes * 50 < first.bytes, "\(second) after \(first)")
      try send(1)
      try ping("late")
      try connection.poll(with: world.session)
      #expect(try answered() == ["late"])
    }

    /// As after a restart of the program, which stored the connection when it was completed.
    @Test func anotherProcessDoesNotLookAgain() throws {
      var connection = try world.completed()
      let text = connection.serialized(institutionDID: nil)
      try send(50)
      let first = try meter.measure { try connection.poll(with: world.session) }
      var restored = try Connection(serialized: text)
      let second = try meter.measure { try restored.poll(with: world.session) }
      #expect(second.answers == 1)
      #expect(second.bytes * 20 < first.bytes, "\(second) after \(first)")
      try send(1)
      try ping("late")
      restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(try answered() == ["late"])
      try restored.delete(with: world.session)
      #expect(throws: WalletError.recordNotFound) {
        try world.session.wallet.record(type: "msdk.place", id: restored.pairwiseDID)
      }
    }

    /// The program stored the connection before the response, and ended. The response is behind the messages that the
    /// completed connection has passed over.
    @Test func anEarlierStateLooksAtAllMessages() throws {
      var connection = try world.requested()
      let text = connection.serialized(institutionDID: nil)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      try send(20)
      for _ in 0..<2 { try connection.poll(with: world.session) }
      var restored = try Connection(serialized: text)
      try restored.poll(with: world.session)
      #expect(restored.state.number == 4)
    }

    @Test func theApplicationStillGetsPassedOverMessages() throws {
      var connection = try world.completed()
      try send(3)
      for _ in 0..<2 { try connection.poll(with: world.session) }
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      #expect(try JSON(parsing: text).requireArray().first?["msgs"]?.array?.count == 3)
    }

    /// A ping that came before the response has no effect until that has come.
    @Test func anotherStateLooksAgain() throws {
      var connection = try world.requested()
      try send(2)
      try ping("early")
      try connection.poll(with: world.session)
      try connection.poll(with: world.session)
      #expect(try connection.state.number == 3 && answered().isEmpty)
      try world.inviter.respond()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
      try connection.poll(with: world.session)
      #expect(try answered() == ["early"])
    }

    /// The application has read the response itself: a ping that came before it is answered all the same.
    @Test func aStateThatTheApplicationBroughtLooksAgain() throws {
      var connection = try world.requested()
      try ping("early")
      for _ in 0..<2 { try connection.poll(with: world.session) }
      #expect(try connection.state.number == 3 && answered().isEmpty)
      let response = try world.inviter.response()
      try world.inviter.send(response)
      try connection.receive(response.text, with: world.session)
      #expect(connection.state.number == 4)
      try connection.poll(with: world.session)
      #expect(try answered() == ["early"])
    }

    /// As one that another version of the library has noted, whose rules were others.
    @Test func aPlaceOfAnotherStateHasNoEffect() throws {
      var connection = try world.completed()
      try ping("early")
      try send(1)
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let last = try #require(JSON(parsing: text).requireArray().first?["msgs"]?.array?.last?["uid"])
      let place: JSON = ["state": "another", "last": last]
      let record = Record(type: "msdk.place", id: connection.pairwiseDID, value: place.text)
      try world.session.wallet.apply(.add(record))
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try connection.poll(with: world.session)
      #expect(try answered() == ["early"])
    }

    @Test func eachPollTakesTheOldestThatIsForTheConnection() throws {
      var connection = try world.completed()
      try send(1)
      try connection.poll(with: world.session)
      for id in ["first", "second"] { try ping(id) }
      try send(1)
      try connection.poll(with: world.session)
      #expect(try answered() == ["first"])
      try connection.poll(with: world.session)
      #expect(try answered() == ["first", "second"])
    }

    @Test func twoThatPollDoNotDisturbEachOther() throws {
      var one = try world.completed()
      var other = try Connection(serialized: one.serialized(institutionDID: nil))
      try send(2)
      try one.poll(with: world.session)
      try other.poll(with: world.session)
      try ping("for one of them")
      try other.poll(with: world.session)
      try one.poll(with: world.session)
      #expect(try answered() == ["for one of them"])
    }

    @Test func messagesReadMeanwhileAreForgotten() throws {
      var connection = try world.completed()
      try send(20)
      try connection.poll(with: world.session)
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      let uids = try #require(try JSON(parsing: text).requireArray().first?["msgs"]?.array).map { $0["uid"] ?? .null }
      let read: JSON = [["pairwiseDID": .string(connection.pairwiseDID), "uids": .array(uids)]]
      try world.session.updateMessages(status: "MS-106", read.text)
      try connection.poll(with: world.session)
      try ping("alone")
      // With nothing left to pass over, one request is enough again.
      let traffic = try meter.measure { try connection.poll(with: world.session) }
      #expect(try traffic.answers == 2 && answered() == ["alone"])
    }

    /// A ping that could not be answered stays, and is looked at again.
    @Test func aMessageWhoseEffectFailedIsNotPassedOver() throws {
      var connection = try world.completed()
      try send(1)
      try connection.poll(with: world.session)
      try ping("again")
      world.inviter.answer(503)
      #expect(throws: DeliveryError.refused(status: 503)) { try connection.poll(with: world.session) }
      world.inviter.answer(200)
      try connection.poll(with: world.session)
      #expect(try answered() == ["again"])
    }
  }
}
