import Aries
import DIDComm
import HTTP
import JSON
import MSDK
import Sodium
import Testing

extension SDKTests {
  @Suite(.eachCloudAgent) struct OutOfBandTests {
    let world: World

    init() throws { world = try World() }

    func invitation(_ members: JSONObject = [:]) -> JSON {
      var object: JSONObject = [
        "@type": "https://didcomm.org/out-of-band/1.1/invitation", "@id": "invitation-1", "goal": "to answer",
        "handshake_protocols": ["https://didcomm.org/didexchange/1.0", "https://didcomm.org/connections/1.0"],
        "services": [
          [
            "id": "#inline", "type": "did-communication", "serviceEndpoint": .string(world.inviter.server.endpoint),
            "recipientKeys": [.string(world.inviter.invitationKey.verkey.didURL)],
          ]
        ],
      ]
      for (key, value) in members.members { object[key] = value.isNull ? nil : value }
      return .object(object)
    }

    var connectionless: JSON {
      invitation([
        "handshake_protocols": nil,
        "requests~attach": [["@id": "r", "data": ["json": ["@type": "https://didcomm.org/x/1.0/q", "@id": "q"]]]],
      ])
    }

    func connect(_ connection: inout Connection, _ options: JSON? = nil) throws {
      try connection.connect(ConnectionOptions(parsing: options?.text), with: world.session)
    }

    /// A key that an invitation lists second may be anybody's.
    @Test func onlyTheFirstKeyOfAnInvitationIsShown() throws {
      let first = world.inviter.invitationKey.verkey
      var json = invitation()
      guard var service = json["services"]?.array?.first else { return }
      service["recipientKeys"] = [.string(first.didURL), .string(KeyPair().verkey.didURL)]
      json["services"] = .array([service])
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: json.text)
      for _ in 0..<2 {
        let their = try JSON(parsing: connection.info(with: world.session))["their"]
        #expect(their?["recipientKeys"] == [.string(first.text)])
        try connect(&connection)
      }
      #expect(connection.state.number == 3)
    }

    // MARK: public DIDs and peer DIDs

    @Test(arguments: [true, false]) func anInviterWithAPublicDIDIsShownAndNeedsALedger(hasHandshake: Bool) throws {
      let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
      var json = hasHandshake ? invitation() : connectionless
      json["services"] = [.string(did)]
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: json.text)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      #expect(connection.state.number == 2)
      #expect(try JSON(parsing: connection.invitationText) == json)
      #expect(throws: ConnectionError.needsLedger(did)) { try connect(&connection) }
      #expect(connection.state.number == 2 && connection.pairwiseDID.isEmpty)
      #expect(try JSON(parsing: connection.info(with: world.session))["their"]?["serviceEndpoint"] == "")
      let found = try ExistingConnection(
        for: json.text, among: JSON([connection.serialized(institutionDID: nil)]).text)
      #expect(found.same == (hasHandshake ? .invitation : .none))
    }

    @Test func aPublicDIDIsAnInvitation() throws {
      let did = "did:sov:WgWxqztrNooG92RXvxSTWv"
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: did)
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      #expect(try JSON(parsing: connection.invitationText)["@id"] == .string(did))
      #expect(throws: ConnectionError.needsLedger(did)) { try connect(&connection) }
    }

    @Test(arguments: ["did:peer:2", "did:peer:4", "unqualified"])
    func theOptionsChooseTheMethodOfTheOwnDID(method: String) throws {
      for offered in [["connections/1.0", "didexchange/1.0"], ["didexchange/1.1"]] {
        let protocols = JSON(offered.map { "https://didcomm.org/" + $0 })
        var connection = try Connection(
          sourceID: "acme", outOfBandInvitation: invitation(["handshake_protocols": protocols]).text)
        try connect(&connection, ["use_did_method": .string(method)])
        let request = try #require(try world.inviter.received().last).json
        let my = try #require(JSON(parsing: connection.info(with: world.session))["my"]?["did"]?.string)
        guard method != "unqualified" else {
          #expect(my == connection.pairwiseDID)
          continue
        }
        #expect(request["@type"]?.string?.contains("didexchange/1") == true)
        #expect(request["did"]?.string?.hasPrefix(my) == true && my.hasPrefix(method))
        let restored = try Connection(serialized: connection.serialized(institutionDID: nil))
        #expect(try JSON(parsing: restored.info(with: world.session))["my"]?["did"]?.string == my)
      }
    }

    @Test func aPeerDIDNeedsADIDExchange() throws {
      let connections = invitation(["handshake_protocols": ["https://didcomm.org/connections/1.0"]])
      let exchange: JSON = ["use_did_method": "did:peer:4"]
      let both: JSON = [
        "use_did_method": "did:peer:2", "handshake_protocol": "https://didcomm.org/connections/1.0",
      ]
      for (text, options) in [(connections.text, exchange), (invitation().text, both)] {
        var connection = try Connection(sourceID: "acme", outOfBandInvitation: text)
        #expect(throws: ConnectionError.didMethodNotPossible) { try connect(&connection, options) }
      }
      var inviter = Connection(sourceID: "bob", inviting: .connection)
      #expect(throws: ConnectionError.didMethodNotPossible) { try connect(&inviter, ["use_did_method": "did:peer:4"]) }
      #expect(throws: ConnectionError.unknownDIDMethod) {
        try ConnectionOptions(parsing: #"{"use_did_method":"did:web"}"#)
      }
      #expect(throws: ConnectionError.unknownOption("use_public_DID")) {
        try ConnectionOptions(parsing: #"{"use_public_DID":true}"#)
      }
    }

    @Test(arguments: ["did:peer:2", "did:peer:4"]) func anInviterMayBeNamedByAPeerDID(method: String) throws {
      var connection = try Connection(sourceID: "bob", goalCode: nil, goal: nil, handshake: true, attaching: nil)
      try connect(&connection, ["use_did_method": .string(method)])
      let json = try JSON(parsing: connection.invitationText)
      #expect(json["services"]?.array?.first?.string?.hasPrefix(method) == true)
      let invitee = try ScriptedInvitee(invitation: .outOfBand(OutOfBandInvitation(json)))
      try invitee.ask()
      try connection.poll(with: world.session)
      try invitee.react()
      try connection.poll(with: world.session)
      #expect(connection.state.number == 4 && invitee.isConnected)
      let my = try #require(JSON(parsing: connection.info(with: world.session))["my"]?["did"]?.string)
      #expect(my.hasPrefix(method) && invitee.machine.peer?.did == my)
    }

    // MARK: the choice of the handshake

    @Test func theFirstHandshakeThatIsKnownIsTaken() throws {
      for (offered, expected) in [
        (["x/1.0", "didexchange/1.1", "connections/1.0"], "didexchange/1.1"),
        (["didexchange/1.0", "didexchange/1.1"], "didexchange/1.0"),
        (["connections/1.0", "didexchange/1.1"], "connections/1.0"), (["didexchange/1.7"], "didexchange/1.1"),
      ] {
        let protocols = JSON(offered.map { "https://didcomm.org/" + $0 })
        var connection = try Connection(
          sourceID: "acme", outOfBandInvitation: invitation(["handshake_protocols": protocols]).text)
        try connect(&connection)
        #expect(connection.state.number == 3)
        let request = try #require(try world.inviter.received().last)
        #expect(request.json["@type"] == .string("https://didcomm.org/\(expected)/request"))
        #expect(request.json["~thread"]?["pthid"] == "invitation-1")
        #expect(request.sender?.did.text == connection.pairwiseDID)
        #expect(request.json["label"] == "Alice")
      }
    }

    @Test(arguments: ["https://didcomm.org/connections/1.0", "connections/1.0"])
    func theOptionsMayNameAnother(name: String) throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: invitation().text)
      try connect(&connection, ["handshake_protocol": .string(name)])
      #expect(try world.inviter.received().last?.json["@type"] == "https://didcomm.org/connections/1.0/request")
    }

    @Test func aHandshakeThatIsNotOfferedOrNotKnownIsRefused() throws {
      let only = invitation(["handshake_protocols": ["https://didcomm.org/didexchange/1.0"]])
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: only.text)
      #expect(throws: ConnectionError.handshakeNotOffered("https://didcomm.org/connections/1.0")) {
        try connect(&connection, ["handshake_protocol": "connections/1.0"])
      }
      #expect(throws: ConnectionError.unknownHandshake) {
        try connect(&connection, ["handshake_protocol": "didexchange/2.0"])
      }
      #expect(connection.state.number == 2)
      #expect(try world.inviter.received().isEmpty)
    }

    @Test func anInvitationOfUnknownHandshakesIsRefused() {
      let strange = invitation(["handshake_protocols": ["https://didcomm.org/handshake/1.0"]])
      #expect(throws: InvitationError.self) { try Connection(sourceID: "acme", outOfBandInvitation: strange.text) }
    }

    // MARK: without a handshake

    @Test func withoutAHandshakeTheConnectionIsCompleteAtOnce() throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: connectionless.text)
      #expect(connection.state.number == 4)
      #expect(connection.pairwiseDID == "")
      #expect(throws: ConnectionError.noMailbox) { try connection.poll(with: world.session) }

      try connect(&connection)
      let did = connection.pairwiseDID
      #expect(!did.isEmpty)
      #expect(try world.inviter.received().isEmpty, "connecting sends nothing")
      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try connect(&connection)
      #expect(connection.pairwiseDID == did, "there is one mailbox")
      #expect(connection.state.number == 4)
    }

    @Test func anAnswerSaysWhereItsAnswerGoes() throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: connectionless.text)
      try connection.send(#"{"@type":"https://didcomm.org/x/1.0/a","@id":"1"}"#, with: world.session)
      let anonymous = try #require(try world.inviter.received().last)
      #expect(anonymous.sender == nil)
      #expect(anonymous.json["~service"] == nil)

      try connect(&connection)
      try connection.send(#"{"@type":"https://didcomm.org/x/1.0/a","@id":"2"}"#, with: world.session)
      let answer = try #require(try world.inviter.received().last)
      #expect(answer.sender?.did.text == connection.pairwiseDID)
      let service = try #require(answer.json["~service"])
      #expect(service["recipientKeys"] == JSON([answer.sender?.text ?? ""]))
      #expect(service["serviceEndpoint"] == .string(world.messageURL))
      #expect(service["routingKeys"]?.array?.count == world.hops)
    }

    @Test func aQuestionIsAnsweredBeforeConnecting() throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: connectionless.text)
      let question: JSON = [
        "@type": "https://didcomm.org/committedanswer/1.0/question", "@id": "q1", "question_text": "Pay?",
        "valid_responses": [["text": "Yes", "nonce": "n1"]],
      ]
      try connection.sendAnswer(to: question.text, choosing: #"{"text":"Yes"}"#, with: world.session)
      let (answer, sender) = try #require(try world.inviter.received().last)
      #expect(try #require(sender).did.text == connection.pairwiseDID)
      let signature = try #require(answer["response.@sig"])
      let data = Array(try #require(signature["sig_data"]?.string).utf8)
      let bytes = try Base64.decode(#require(signature["signature"]?.string), .standard)
      #expect(try #require(sender).publicKey.verifies(bytes, of: data))

      connection = try Connection(serialized: connection.serialized(institutionDID: nil))
      try connect(&connection)
      #expect(connection.pairwiseDID == sender?.did.text, "the mailbox is that of the key")
    }

    @Test func aPingOfTheInviterIsAnswered() throws {
      var connection = try Connection(sourceID: "acme", outOfBandInvitation: connectionless.text)
      try connect(&connection)
      let ping = TrustPing(id: "ping-1", responseRequested: true).json
      #expect(throws: MailboxError.unprovenSender) { try connection.receive(ping.text, with: world.session) }
      let own = try #require(try JSON(parsing: connection.info(with: world.session))["my"])
      let service = try Service(
        recipientKeys: [VerKey(own["recipientKeys"]?.array?.first?.string ?? "")],
        routingKeys: (own["routingKeys"]?.array ?? []).map { try VerKey($0.string ?? "") },
        endpoint: own["serviceEndpoint"]?.string ?? "")
      _ = try HTTPClient().post(
        service.pack(ping.bytes, from: world.inviter.invitationKey), to: service.endpoint,
        contentType: "application/didcomm-envelope-enc")
      try connection.receive(ping.text, with: world.session)
      #expect(try world.inviter.received().last?.json["~thread"]?["thid"] == "ping-1")
    }

    // MARK: complaints

    @Test func anInviterThatSignsNonsenseIsTold() throws {
      var connection = try world.requested()
      let stored = connection.serialized(institutionDID: nil)
      let signature = SignatureDecorator(signing: ["DID": "x"], with: world.inviter.invitationKey, time: 0)
      let thread = Aries.Thread(thid: try world.inviter.request().id)
      try world.inviter.send(ConnectionResponse(id: "r", thread: thread, signature: signature).json)
      #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
      let report = try #require(try world.inviter.received().last?.json)
      #expect(report["@type"] == "https://didcomm.org/connections/1.0/problem_report")
      #expect(report["~thread"]?["thid"] == .string(thread.thid))
      // The inviter has given up, and so has this side.
      #expect(connection.state.number == 0)
      #expect(try JSON(parsing: connection.problemReport()) == report)
      try connection.poll(with: world.session)
      #expect(connection.state.number == 0)

      // As when a process ends before it has stored that.
      connection = try Connection(serialized: stored)
      #expect(throws: ProtocolError.self) { try connection.poll(with: world.session) }
      #expect(connection.state.number == 0)
    }

    @Test func aForgerIsToldNothing() throws {
      var connection = try world.requested()
      let sent = try world.inviter.received().count
      try world.inviter.send(world.inviter.response(signedBy: KeyPair()))
      #expect(throws: ProtocolError.wrongSigner) { try connection.poll(with: world.session) }
      #expect(try world.inviter.received().count == sent)
    }
  }
}
