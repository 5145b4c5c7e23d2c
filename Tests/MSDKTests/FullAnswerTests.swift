import AgencyWire
import Aries
import JSON
import MSDK
import Testing

extension SDKTests {
  /// Mailboxes that hold more than one answer of the agency, also more than one list of ids.
  @Suite struct FullAnswerTests {
    let world: World

    /// An answer holds ten messages without their content, or one or two with it.
    init() throws { world = try World(answerBytes: 2000) }

    func send(_ numbers: Range<Int>) throws {
      for number in numbers { try world.inviter.send(BasicMessage(id: "\(number)", content: "hello").json) }
    }

    /// The ids of the messages that a download brings, the oldest first.
    func downloaded(_ status: String? = nil) throws -> [String] {
      let text = try world.session.downloadMessages(statuses: status, uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }.compactMap { message in
        try message["decryptedPayload"]?.string.flatMap { try JSON(parsing: $0)["@msg"]?.string }
          .flatMap { try JSON(parsing: $0)["@id"]?.string }
      }
    }

    var isPonged: Bool {
      get throws {
        try world.inviter.received().contains { $0.json["@type"]?.string?.hasSuffix("/ping_response") == true }
      }
    }

    @Test func aPingBehindThemIsAnswered() throws {
      var connection = try world.completed()
      try send(0..<25)
      try world.inviter.send(TrustPing(id: "ping", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(try isPonged)
    }

    /// The list of ids is longer than an answer then.
    @Test func aPingBehindPassedMessagesIsAnswered() throws {
      var connection = try world.completed()
      try send(0..<25)
      try connection.poll(with: world.session)
      try world.inviter.send(TrustPing(id: "ping", responseRequested: true).json)
      try connection.poll(with: world.session)
      #expect(try isPonged)
    }

    @Test func aDownloadBringsAllOfThem() throws {
      let first = try world.completed()
      try send(0..<12)
      let second = try world.completed()
      try send(12..<24)
      #expect(first.pairwiseDID != second.pairwiseDID)
      #expect(Set(try downloaded("MS-103")) == Set((0..<24).map { "\($0)" }))
    }

    /// The newest message is the last that an answer has room for.
    @Test func theNewestMessageIsRead() throws {
      let connection = try world.completed()
      try send(0..<25)
      let uids = try world.session.cloudUIDs(of: connection.pairwiseDID)
      try world.session.updateMessages(
        status: "MS-106",
        JSON.array([["pairwiseDID": .string(connection.pairwiseDID), "uids": JSON(uids)]]).text)
      try send(25..<26)
      #expect(Set(try downloaded()).isSuperset(of: (0..<26).map { "\($0)" }))
      #expect(try downloaded("MS-103") == ["25"])
    }
  }
}

extension MSDK.Session {
  fileprivate func cloudUIDs(of pairwiseDID: String) throws -> [String] {
    let text = try downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: pairwiseDID)
    return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }.compactMap { $0["uid"]?.string }
  }
}
