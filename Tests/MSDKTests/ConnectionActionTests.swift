import Aries
import CloudAgent
import DIDComm
import JSON
import MSDK
import Sodium
import Testing
import Wallet

extension SDKTests {
  /// Actions of a connection besides its handshake, with a real agency and a scripted peer.
  @Suite(.eachCloudAgent) struct ConnectionActionTests {
    let world: World

    init() throws { world = try World() }

    func last() throws -> JSON { try #require(try world.inviter.received().last).json }

    /// The messages of the mailbox that are still new.
    func new() throws -> [JSON] {
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
    }

    // MARK: reuse

    @Test(arguments: [("1.0", "service", "1.0"), ("1.1", "services", "1.1"), ("1.1", "service", "1.0")])
    func reuseNamesTheNewInvitation(version: String, services: String, sent: String) throws {
      let connection = try world.completed()
      var invitation: JSON = [
        "@type": "https://didcomm.org/out-of-band/\(version)/invitation", "@id": "invitation-2",
      ]
      invitation[services] = ["did:sov:WgWxqztrNooG92RXvxSTWv"]
      try connection.sendReuse(for: invitation.text, with: world.session)
      let message = try last()
      #expect(message["@type"] == "https://didcomm.org/out-of-band/\(sent)/handshake-reuse")
      #expect(message["~thread"] == ["thid": message["@id"] ?? .null, "pthid": "invitation-2"])
    }

    @Test func theConsentStaysForTheApplication() throws {
      var connection = try world.completed()
      try connection.sendReuse(for: #"{"@id":"invitation-2"}"#, with: world.session)
      guard case .handshakeReuse(let reuse) = try Message(last()) else {
        Issue.record("no reuse")
        return
      }
      try world.inviter.send(HandshakeReuseAccepted(id: "accepted", to: reuse).json)
      try connection.poll(with: world.session)
      let payload = try JSON(parsing: try #require(new().first?["decryptedPayload"]?.string))
      #expect(payload["@type"]?["name"] == "handshake-reuse-accepted")
      let message = try JSON(parsing: try #require(payload["@msg"]?.string))
      #expect(message["~thread"]?["pthid"] == "invitation-2")
    }

    @Test(arguments: [
      "", "[]", "{}", #"{"@id":1}"#, #"{"@id":"1","@type":"https://didcomm.org/connections/1.0/invitation"}"#,
    ])
    func aMalformedInvitationCannotBeReused(text: String) throws {
      let connection = try world.completed()
      #expect(throws: JSONError.self) { try connection.sendReuse(for: text, with: world.session) }
    }

    // MARK: features

    @Test func thePeerIsAskedForItsProtocolsAndTheAnswerIsKept() throws {
      var connection = try world.completed()
      try connection.sendFeatureQuery(nil, comment: "hi", with: world.session)
      guard case .featureQuery(let query) = try Message(last()) else {
        Issue.record("no query")
        return
      }
      #expect(query.query == "*" && query.comment == "hi")
      let disclosed: JSON = [["pid": "https://didcomm.org/tictactoe/1.0", "roles": ["player"]]]
      try world.inviter.send([
        "@type": .string(FeatureDisclosure.type.text), "@id": "d", "~thread": ["thid": .string(query.id)],
        "protocols": disclosed,
      ])
      try connection.poll(with: world.session)
      #expect(try new().isEmpty)
      let restored = try Connection(serialized: connection.serialized(institutionDID: nil))
      #expect(try JSON(parsing: restored.info(with: world.session))["their"]?["protocols"] == disclosed)
    }

    @Test(
      arguments: [
        (
          ["@type": "https://didcomm.org/discover-features/1.0/query", "@id": "q", "query": "*ping*"],
          "https://didcomm.org/discover-features/1.0/disclose", "protocols"
        ),
        (
          [
            "@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "q",
            "queries": [["feature-type": "protocol", "match": "*ping*"]],
          ],
          "https://didcomm.org/discover-features/2.0/disclosures", "disclosures"
        ),
      ] as [(JSON, String, String)])
    func queriesAreAnswered(query: JSON, type: String, member: String) throws {
      var connection = try world.completed()
      try world.inviter.send(query)
      try connection.poll(with: world.session)
      let answer = try last()
      #expect(answer["@type"] == .string(type) && answer["~thread"]?["thid"] == "q")
      #expect(answer[member]?.array?.count == 1)
      #expect(try new().isEmpty)
    }

    // MARK: questions

    static let question: JSON = [
      "@type": "https://didcomm.org/questionanswer/1.0/question", "@id": "q1", "question_text": "Is it you?",
      "nonce": "n", "signature_required": true, "valid_responses": [["text": "Yes"], ["text": "No"]],
      "~thread": ["thid": "t1", "sender_order": 2], "~timing": ["expires_time": "2999-01-01T00:00:00Z"],
    ]

    @Test func aQuestionStaysForTheApplicationAndItsAnswerIsSigned() throws {
      var connection = try world.completed()
      try world.inviter.send(Self.question)
      try connection.poll(with: world.session)
      let payload = try JSON(parsing: try #require(new().first?["decryptedPayload"]?.string))
      #expect(payload["@type"]?["name"] == "question")

      try connection.sendAnswer(
        to: #require(payload["@msg"]?.string), choosing: #"{"text":"Yes"}"#, with: world.session)
      let (answer, sender) = try #require(try world.inviter.received().last)
      #expect(answer["@type"] == "https://didcomm.org/questionanswer/1.0/answer" && answer["response"] == "Yes")
      let peer = world.inviter.pairwiseKey.verkey.did.text
      let orders = JSON.object([peer: 2])
      #expect(
        answer["~thread"] == ["thid": "t1", "pthid": "invitation-1", "sender_order": 0, "received_orders": orders])
      let signature = try #require(answer["response~sig"])
      let signed = try Base64.decode(#require(signature["sig_data"]?.string), .url)
      #expect(signed == sha512(Array("Is it you?Yesn".utf8)))
      #expect(signature["signers"] == [.string(try #require(sender).text)])
      let bytes = try Base64.decode(#require(signature["signature"]?.string), .url)
      #expect(try #require(sender).publicKey.verifies(bytes, of: signed))
    }

    @Test func aCommittedQuestionIsAnswered() throws {
      var connection = try world.completed()
      let question: JSON = [
        "@type": "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/committedanswer/1.0/question", "@id": "q1",
        "question_text": "Pay?", "valid_responses": [["text": "Yes", "nonce": "n1"]],
      ]
      try connection.sendAnswer(to: question.text, choosing: #"{"text":"Yes"}"#, with: world.session)
      let (answer, sender) = try #require(try world.inviter.received().last)
      let data = try #require(answer["response.@sig"]?["sig_data"]?.string)
      #expect(data == Base64.encode(Array("n1".utf8), .standard))
      let signature = try Base64.decode(#require(answer["response.@sig"]?["signature"]?.string), .standard)
      #expect(try #require(sender).publicKey.verifies(signature, of: Array(data.utf8)))
    }

    @Test func anExpiredQuestionIsNotAnswered() throws {
      var connection = try world.completed()
      var question = Self.question
      question["~timing"] = ["expires_time": "2018-12-13T17:29:06+0000"]
      #expect(throws: QuestionError.expired) {
        try connection.sendAnswer(to: question.text, choosing: #"{"text":"Yes"}"#, with: world.session)
      }
    }

    /// The signed bytes of "Pay 1" with "0", and of "Pay " with "10", are the same.
    @Test func oneNonceGetsOneSignedAnswer() throws {
      var connection = try world.completed()
      func question(_ text: String, _ response: String) -> JSON {
        var question = Self.question
        (question["question_text"], question["valid_responses"]) = (.string(text), [["text": .string(response)]])
        return question
      }
      let first = question("Pay 1", "0")
      for _ in 0..<2 {
        try connection.sendAnswer(to: first.text, choosing: #"{"text":"0"}"#, with: world.session)
      }
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      for (text, response) in [("Pay ", "10"), ("Pay 1", "1"), ("Other", "0")] {
        #expect(throws: QuestionError.answered) {
          try connection.sendAnswer(
            to: question(text, response).text, choosing: JSON.object(["text": .string(response)]).text,
            with: world.session)
        }
      }
    }

    /// The signed bytes of "100" with the nonce "-b7", and of "1" with "00-b7", are the same.
    @Test func oneSignatureIsOneAnswer() throws {
      var connection = try world.completed()
      func answer(_ response: String, _ nonce: String) throws {
        var question = Self.question
        (question["nonce"], question["valid_responses"]) = (.string(nonce), [["text": .string(response)]])
        let choice = JSON.object(["text": .string(response)]).text
        try connection.sendAnswer(to: question.text, choosing: choice, with: world.session)
      }
      for _ in 0..<2 { try answer("1", "00-b7") }
      #expect(throws: QuestionError.answered) { try answer("100", "-b7") }
      try answer("100", "-b8")
    }

    @Test(arguments: [
      ("{}", #"{"text":"Yes"}"#), ("x", #"{"text":"Yes"}"#), (question.text, "{}"), (question.text, "x"),
    ])
    func malformedQuestionsAndAnswersAreRefused(question: String, answer: String) throws {
      var connection = try world.completed()
      #expect(throws: (any Error).self) {
        try connection.sendAnswer(to: question, choosing: answer, with: world.session)
      }
    }

    @Test func theMessageOfAnInviteActionIsReturned() throws {
      let connection = try world.completed()
      let action = try InviteAction(parsing: #"{"goal_code":"automotive.inspect.tire","ack_on":["ACCEPT"]}"#)
      let sent = try connection.send(action, with: world.session)
      #expect(try last() == JSON(parsing: sent))
    }

    // MARK: states

    @Test func actionsNeedACompletedConnection() throws {
      let connection = try world.requested()
      let session = try world.session
      let action = try InviteAction(["goal_code": "x"])
      let actions: [(Connection) throws -> Void] = [
        { try $0.sendReuse(for: #"{"@id":"1"}"#, with: session) },
        { try $0.sendFeatureQuery(nil, comment: nil, with: session) },
        { connection in
          var connection = connection
          try connection.sendAnswer(to: Self.question.text, choosing: #"{"text":"Yes"}"#, with: session)
        },
        { _ = try $0.send(action, with: session) }, { _ = try $0.verifies([], of: [1]) },
      ]
      for act in actions { #expect(throws: ConnectionError.notReady) { try act(connection) } }
    }

    @Test func aMessageThatCannotBeDeliveredIsAnError() throws {
      let connection = try world.completed()
      world.inviter.answer(500)
      #expect(throws: DeliveryError.refused(status: 500)) {
        try connection.sendReuse(for: #"{"@id":"1"}"#, with: world.session)
      }
    }

    // MARK: signatures

    @Test func bothSidesSignAndVerify() throws {
      let connection = try world.completed()
      let data = Array("hello".utf8)
      let signature = try connection.sign(data, with: world.session)
      let own = try #require(try world.inviter.received().last?.sender)
      #expect(own.publicKey.verifies(signature, of: data))
      #expect(try connection.verifies(world.inviter.pairwiseKey.sign(data), of: data))
      #expect(try !connection.verifies(signature, of: data))
      #expect(try !connection.verifies([1, 2, 3], of: data))
      let invited = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      #expect(!invited.knowsPeerKey && connection.knowsPeerKey)
      #expect(throws: ConnectionError.noMailbox) { try invited.sign(data, with: world.session) }
    }

    // MARK: facts

    @Test func bothSidesAreTold() throws {
      var connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      let invited = try JSON(parsing: connection.info(with: world.session))
      #expect(invited["invitation"] == ["ConnectionInvitation": world.inviter.invitation])
      #expect(invited["my"]?["did"] == "" && invited["my"]?["recipientKeys"] == [])
      #expect(invited["their"]?["did"] == "invitation-1")
      #expect(try connection.theirDID() == "invitation-1")

      try connection.connect(ConnectionOptions(parsing: nil), with: world.session)
      #expect(try connection.theirDID() == "invitation-1")
      try world.inviter.respond()
      try connection.poll(with: world.session)
      let peer = world.inviter.pairwiseKey.verkey
      #expect(try connection.theirDID() == peer.did.text)
      let info = try JSON(parsing: connection.info(with: world.session))
      let service = try world.inviter.request().document.service
      #expect(info["my"]?["did"] == .string(connection.pairwiseDID))
      #expect(info["my"]?["recipientKeys"] == JSON(service.recipientKeys.map(\.text)))
      #expect(info["my"]?["routingKeys"] == JSON(service.routingKeys.map(\.text)))
      #expect(info["my"]?["serviceEndpoint"] == .string(service.endpoint))
      #expect(info["my"]?["protocols"]?.array?.count == SpokenProtocol.own.count)
      #expect(
        info["their"] == [
          "did": .string(peer.did.text), "recipientKeys": [.string(peer.text)], "routingKeys": [],
          "serviceEndpoint": .string(world.inviter.server.endpoint),
        ])
    }

    @Test func theReportThatEndedAConnectionIsTold() throws {
      var connection = try world.requested()
      #expect(try connection.problemReport() == "null")
      let report = ProblemReport(
        in: .connections, id: "p", code: "request_not_accepted", explanation: "no",
        thread: Aries.Thread(thid: try world.inviter.request().id))
      try world.inviter.send(report.json, from: world.inviter.invitationKey)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 0)
      #expect(try JSON(parsing: connection.problemReport()) == report.json)
      #expect(throws: ConnectionError.notReady) { try connection.theirDID() }
    }

    // MARK: deleting

    @Test func deletingClosesTheMailboxAndCanBeRepeated() throws {
      let connection = try world.completed()
      try world.inviter.send(BasicMessage(id: "1", content: "hello").json)
      try connection.delete(with: world.session)
      #expect(try new().isEmpty)
      #expect(throws: DeliveryError.refused(status: 404)) {
        try world.inviter.send(BasicMessage(id: "2", content: "late").json)
      }
      try Connection(serialized: connection.serialized(institutionDID: nil)).delete(with: world.session)
    }

    @Test func theNoteOfAMailboxGoesWithItAndDoesNotComeBack() throws {
      let connection = try world.completed()
      let wallet = try Agent.ofTest.openWallet()
      _ = try wallet.record(type: "msdk.mailbox", id: connection.pairwiseDID)
      try connection.delete(with: world.session)
      var restored = try Connection(serialized: connection.serialized(institutionDID: nil))
      #expect(throws: CloudAgentError.self) { try restored.poll(with: world.session) }
      #expect(throws: WalletError.recordNotFound) {
        try wallet.record(type: "msdk.mailbox", id: connection.pairwiseDID)
      }
    }

    @Test func aConnectionWithoutAMailboxIsNotDeleted() throws {
      let connection = try Connection(sourceID: "acme", connectionInvitation: world.inviter.invitation.text)
      #expect(throws: ConnectionError.noMailbox) { try connection.delete(with: world.session) }
    }

    @Test func anAgencyThatIsGoneDeletesNothing() throws {
      guard world.cloudAgent == nil else { return }
      let connection = try world.completed()
      world.agency.stop()
      #expect(throws: CloudAgentError.self) { try connection.delete(with: world.session) }
    }
  }
}
