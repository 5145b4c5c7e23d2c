import Aries
import DIDComm
import JSON
import Sodium
import Testing

@testable import MSDK

/// Messages that the program downloads and hands over: the envelope in the mailbox proves their sender, and nothing else.
extension SDKTests {
  @Suite struct HandedMessageTests {
    let world: World

    init() throws { world = try World() }

    let hangup: JSON = ["@type": "https://didcomm.org/did-rotate/1.0/hangup", "@id": "h"]

    /// The entries of the mailbox.
    func entries() throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: nil, uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    /// The session of a process that has downloaded nothing.
    func restart() throws {
      Agent.ofTest.stop(deletingWallet: false)
      try Agent.ofTest.start(Settings(parsing: world.config))
    }

    // MARK: questions

    private let question = ConnectionActionTests.question

    private func answer(_ given: String, over connection: inout Connection) throws {
      try connection.sendAnswer(to: given, choosing: #"{"text":"Yes"}"#, with: world.session)
    }

    @Test(arguments: [false, true]) func aStrangersQuestionIsNotAnswered(isAnonymous: Bool) throws {
      var connection = try world.completed()
      if isAnonymous {
        try world.inviter.sendUnsigned(question)
      } else {
        try world.inviter.send(question, from: KeyPair())
      }
      let entry = try #require(try entries().last)
      for _ in 0..<2 {
        for given in [question.text, question.sortedText, entry.text] {
          #expect(throws: ProtocolError.notFromPeer) { try answer(given, over: &connection) }
        }
        try restart()
      }
      #expect(try world.inviter.received().allSatisfy { $0.json["response"] == nil })
    }

    /// The same in the text of a message of the proprietary protocol.
    @Test func aStrangersQuestionInAnotherMessageIsNotAnswered() throws {
      var connection = try world.completed()
      let stranger = KeyPair()
      let wrapped = try ProprietaryMessage(id: "1", text: question.text, options: ["msg_type": "question"]).json
      try world.inviter.send(wrapped, from: stranger)
      let entry = try #require(try entries().last)
      for _ in 0..<2 {
        for given in [question.text, entry.text] {
          #expect(throws: ProtocolError.notFromPeer) { try answer(given, over: &connection) }
        }
        try restart()
      }
    }

    /// The user has seen the outer question, and would sign the answer to the inner one.
    @Test func aQuestionInsideAnotherIsNotAnswered() throws {
      var connection = try world.completed()
      let payload: JSON = ["@msg": .string(question.text)]
      let outer: JSON = [
        "question_text": "Do you like cats?", "valid_responses": [["text": "Yes"]], "uid": "1",
        "decryptedPayload": .string(payload.text),
      ]
      #expect(throws: (any Error).self) { try answer(outer.text, over: &connection) }
      #expect(try world.inviter.received().allSatisfy { $0.json["response"] == nil })
    }

    @Test(arguments: [false, true]) func thePeersQuestionIsAnswered(isRestarted: Bool) throws {
      var connection = try world.completed()
      try world.inviter.send(question, from: KeyPair())
      try world.inviter.send(question)
      let entry = try #require(try entries().last)
      if isRestarted { try restart() }
      for given in [question.text, question.sortedText, entry.text] { try answer(given, over: &connection) }
      #expect(try world.inviter.received().last?.json["response"] == "Yes")
    }

    /// A program that passes each question to one connection would sign answers to strangers with that connection's key.
    @Test func aQuestionOfAnotherConnectionIsNotAnswered() throws {
      var connection = try world.completed()
      let entry: JSON = [
        "uid": "elsewhere", "decryptedPayload": .string((["@msg": .string(question.text)] as JSON).text),
      ]
      #expect(throws: ProtocolError.notFromPeer) { try answer(entry.text, over: &connection) }
      try world.session.note(question, from: KeyPair().verkey, over: "Th7MpTaRZVRYnPiabds81Y")
      for given in [question.text, question.sortedText] {
        #expect(throws: ProtocolError.notFromPeer) { try answer(given, over: &connection) }
      }
    }

    // MARK: effects

    @Test func aMessageThatNobodyProvablySentHasNoEffect() throws {
      var connection = try world.completed()
      let before = connection.serialized(institutionDID: nil)
      try world.inviter.sendUnsigned(hangup)
      let entry = try #require(try entries().last)
      for given in [hangup.text, entry.text] {
        #expect(throws: MailboxError.unprovenSender) { try connection.receive(given, with: world.session) }
      }
      #expect(connection.serialized(institutionDID: nil) == before)
    }

    @Test func aStrangersMessageHasNoEffect() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup, from: KeyPair())
      let entry = try #require(try entries().last)
      for given in [hangup.text, entry.text] {
        #expect(throws: ProtocolError.notFromPeer) { try connection.receive(given, with: world.session) }
      }
      #expect(connection.state.number == 4)
    }

    @Test(arguments: [true, false], [true, false])
    func thePeersMessageCounts(isEntry: Bool, isRestarted: Bool) throws {
      var connection = try world.completed()
      try world.inviter.send(hangup)
      let given = isEntry ? try #require(try entries().last).text : hangup.text
      if isRestarted { try restart() }
      try connection.receive(given, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// A program may parse a message, and write it anew.
    @Test func theFormOfTheTextDoesNotMatter() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup)
      _ = try entries()
      let anew = #"{ "@id": "h", "@type": "https:\/\/didcomm.org/did-rotate/1.0/hangup" }"#
      try connection.receive(anew, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// Also a peer can write a text that looks like an entry.
    @Test func anEntryProvesNoSender() throws {
      var connection = try world.completed()
      try world.inviter.sendUnsigned(hangup)
      var entry = try #require(try entries().last)
      entry["senderVerkey"] = .string(world.inviter.pairwiseKey.verkey.text)
      #expect(throws: MailboxError.unprovenSender) { try connection.receive(entry.text, with: world.session) }
      #expect(connection.state.number == 4)
    }

    @Test func aStrangerWhoRepeatsTheTextDoesNotHideThePeer() throws {
      var connection = try world.completed()
      try world.inviter.send(hangup, from: KeyPair())
      try world.inviter.send(hangup)
      try world.inviter.sendUnsigned(hangup)
      _ = try entries()
      try connection.receive(hangup.text, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// The memory keeps few senders of one text.
    @Test func manyStrangersWhoRepeatTheTextDoNotHideThePeer() throws {
      var connection = try world.completed()
      for _ in 0...8 { try world.inviter.send(hangup, from: KeyPair()) }
      try world.inviter.send(hangup)
      _ = try entries()
      try connection.receive(hangup.text, with: world.session)
      #expect(connection.state.number == 0)
    }

    /// The peer has sent a ping, a message with the hangup in it, and a hangup to another connection's mailbox.
    @Test(arguments: [false, true]) func aTextThatThePeerHasNotSentHasNoEffect(isRestarted: Bool) throws {
      var connection = try world.completed()
      let ping = TrustPing(id: "p", responseRequested: false).json
      try world.inviter.send(ping)
      let wrapped: [JSON] = [
        BasicMessage(id: "b", content: hangup.text).json,
        ["@type": "did:sov:123456789abcdefghi1234;spec/x/1.0/x", "@id": "x", "@msg": .string(hangup.text), "n": 1],
        ["@type": "https://didcomm.org/x/1.0/x", "@id": "x", "inner": hangup],
      ]
      for message in wrapped { try world.inviter.send(message, from: message["n"] == nil ? nil : KeyPair()) }
      let entries = try entries()
      let (last, pinged) = (try #require(entries.last), try #require(entries.first { $0.text.contains("trust_ping") }))
      if isRestarted { try restart() }
      let payload: JSON = ["@msg": .string(hangup.text), "@type": ["fmt": "json", "name": "aries", "ver": "1.0"]]
      func entry(_ uid: JSON?, _ from: JSON = pinged) -> JSON {
        var entry = from
        entry["uid"] = uid
        entry["decryptedPayload"] = .string(payload.text)
        return entry
      }
      let key = JSON.string(world.inviter.pairwiseKey.verkey.text)
      let given: [String] = [
        hangup.text, entry(pinged["uid"]).text, entry(last["uid"], last).text, entry(nil).text, entry("").text,
        entry("*").text, entry(" ").text, entry("unknown").text, entry(1).text, entry(["x"]).text,
        entry(.string([pinged, last].compactMap { $0["uid"]?.string }.joined(separator: ","))).text,
        entry(.string(String(repeating: "x", count: 5_000))).text, entry(nil).with(["@type": nil]).text,
        entry(nil).with(["@type": "x"]).text, entry(nil).with(["senderVerkey": key, "sender_verkey": key]).text,
        entry(nil).with(["@msg": .string(hangup.text)]).text, JSON.array([hangup]).text, JSON.array([entry(nil)]).text,
        (["msgs": [entry(nil)]] as JSON).text, (["decryptedPayload": .string(entry(nil).text)] as JSON).text,
        (["decryptedPayload": payload] as JSON).text, hangup.with(["~thread": ["thid": "p"]]).text,
        hangup.with(["senderVerkey": key]).text, hangup.with(["decryptedPayload": .string(ping.text)]).text,
        hangup.with(["@id": "p"]).text, hangup.with(["@type": "did-rotate/1.0/hangup"]).text, hangup.text + " ",
        "\u{feff}" + hangup.text, hangup.text + ping.text, hangup.text + "\0", "[" + hangup.text, "null", "",
      ]
      for text in given {
        try? connection.receive(text, with: world.session)
        #expect(connection.state.number == 4, "\(text)")
      }
    }

    /// Another connection's peer may send what it likes over its own connection.
    @Test func aMessageInAnotherMailboxDoesNotCount() throws {
      var first = try world.completed()
      var second = try Connection(sourceID: "again", connectionInvitation: world.inviter.invitation.text)
      try second.connect(ConnectionOptions(parsing: nil), with: world.session)
      try world.inviter.respond()
      try second.poll(with: world.session)
      try world.inviter.send(hangup)
      _ = try entries()
      #expect(throws: MailboxError.unprovenSender) { try first.receive(hangup.text, with: world.session) }
      #expect(first.state.number == 4)
      try second.receive(hangup.text, with: world.session)
      #expect(second.state.number == 0)
    }

    /// The signature in a response is proof enough of the invitation's key.
    @Test func aResponseNeedsNoSender() throws {
      var connection = try world.requested()
      let response = try world.inviter.response()
      try connection.receive(response.text, with: world.session)
      #expect(connection.state.number == 3, "the new key has sent nothing yet")
      let ping = try #require(try world.inviter.received().last?.json)
      #expect(ping["response_requested"] == true)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try world.inviter.send([
        "@type": "https://didcomm.org/trust_ping/1.0/ping_response", "@id": "p",
        "~thread": ["thid": ping["@id"] ?? .null],
      ])
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4)
    }
  }
}
