import Aries
import Credentials
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// A holder's proposals, and the program's offers for them.
  @Suite struct IssuerProposalTests {
    private func proposal(
      _ version: Int, id: String = "p1", thread: String? = nil, _ format: ContentFormat = .indy
    ) throws -> JSON {
      let text = #"{"attributes":{"name":"Mallory","age":"99"},"filter":{"cred_def_id":"d"}}"#
      return IssueCredentialMessage(
        proposing: try CredentialProposal(parsing: text), comment: "please", id: id,
        thread: thread.map { Thread(thid: $0) }, in: Dialect(CredentialStep.family, version), format
      ).json
    }

    private static let values = #"{"name":"Alice","age":"28"}"#

    private func plan(_ credential: inout IssuerCredential, _ scene: RegistrarScene) throws {
      try credential.plan(scene.definition(), values: Self.values, name: "Degree", with: scene.session)
    }

    private func proposed(_ scene: RegistrarScene, _ message: JSON) throws -> IssuerCredential {
      var credential = try IssuerCredential(sourceID: "s", proposal: message.text)
      #expect(credential.state == 10)
      try plan(&credential, scene)
      #expect(credential.state == 1)
      return credential
    }

    @Test(arguments: [(1, ContentFormat.indy), (2, .indy), (2, .anonCreds)])
    func aProposalIsAnsweredAndTheCredentialIssued(version: Int, format: ContentFormat) throws {
      let scene = try RegistrarScene(version: version == 1 ? "2.0" : "1.0")
      let connection = try scene.world.completed()
      var credential = try proposed(scene, proposal(version, format))
      #expect(try JSON(parsing: credential.proposal())["attributes"]?.array?.count == 2)
      try credential.sendOffer(over: connection, with: scene.session)
      // The proposal decides about the form, and the program about the values.
      let offer = try scene.last()
      #expect(offer["@type"]?.string?.hasSuffix("issue-credential/\(version).0/offer-credential") == true)
      #expect(offer["~thread"]?["thid"] == "p1" && offer["@id"] != "p1")
      #expect(try CredentialOffer(offer).preview?.map(\.raw) == ["28", "Alice"])
      if version == 2 { #expect(try IssueCredentialMessage(.offer, offer).content().format == format) }
      _ = try scene.request()
      credential = try IssuerCredential(serialized: credential.serialized())
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      #expect(credential.state == 4)
      let content = try JSON(parsing: Attachment(firstOf: scene.last()).content)
      #expect(content["values"]?["name"]?["raw"] == "Alice")
      try scene.ack()
      try credential.update(with: scene.session)
      try credential.revoke(with: scene.session)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func anOfferIsReplacedByAnother() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      var credential = try scene.planned()
      try credential.sendOffer(over: connection, with: scene.session)
      for round in 1...3 {
        try scene.world.inviter.send(proposal(2, id: "p\(round)", thread: credential.thread))
        try credential.update(with: scene.session)
        #expect(credential.state == 10)
        try plan(&credential, scene)
        credential = try IssuerCredential(serialized: credential.serialized())
        try credential.sendOffer(over: connection, with: scene.session)
        #expect(credential.state == 2)
      }
      let offers = try scene.sent("offer-credential")
      #expect(Set(offers.compactMap { $0["@id"]?.string }).count == 4)
      _ = try scene.request()
      try credential.update(with: scene.session)
      try credential.sendCredential(with: scene.session)
      #expect(try credential.state == 4 && scene.lastPlace() == 3 && scene.sent("issue-credential").count == 1)
    }

    /// The holder wants the credential of an offer that it has refused.
    @Test func aRequestForAnEarlierOfferIsRefused() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      var credential = try scene.planned()
      try credential.sendOffer(over: connection, with: scene.session)
      try credential.receive(proposal(2, thread: credential.thread), from: scene)
      _ = try scene.request()
      try plan(&credential, scene)
      try credential.sendOffer(over: connection, with: scene.session)
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      #expect(throws: IssuingError.self) { try credential.sendCredential(with: scene.session) }
      #expect(try scene.sent("issue-credential").isEmpty)
    }

    @Test func aStrangersProposalHasNoEffect() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      try scene.world.inviter.send(proposal(2, thread: credential.thread), from: KeyPair())
      try credential.update(with: scene.session)
      #expect(credential.state == 2)
    }

    @Test(arguments: [false, true]) func aProposalAfterARequestHasNoEffect(isIssued: Bool) throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      let offered = credential
      _ = try scene.request()
      try credential.update(with: scene.session)
      if isIssued { try credential.sendCredential(with: scene.session) }
      let before = credential.machine
      try scene.world.inviter.send(proposal(2, thread: credential.thread))
      try credential.update(with: scene.session)
      #expect(credential.machine == before)
      guard isIssued else { return }
      // A program that has lost the last states cannot offer again either.
      var older = offered
      try older.receive(proposal(2, thread: credential.thread), from: scene)
      try plan(&older, scene)
      let count = try scene.sent("offer-credential").count
      #expect(throws: IssuingError.otherTerms) {
        try older.sendOffer(over: scene.world.completed(), with: scene.session)
      }
      #expect(try scene.sent("offer-credential").count == count)
    }

    /// The wallet's notes of an exchange must not be mixed with those of another holder.
    @Test func twoHoldersMayChooseOneThread() throws {
      let scene = try RegistrarScene()
      var credentials: [IssuerCredential] = []
      for values in [Self.values, #"{"name":"Bob","age":"30"}"#] {
        var credential = try IssuerCredential(sourceID: "s", proposal: proposal(2).text)
        try credential.plan(scene.definition(), values: values, name: "Degree", with: scene.session)
        try credential.sendOffer(over: scene.world.completed(), with: scene.session)
        credentials.append(credential)
      }
      #expect(credentials.map(\.state) == [2, 2])
      // The same plan over the same connection is the same offer, and another one is refused.
      let connection = try scene.world.completed()
      for values in [Self.values, Self.values, #"{"name":"Eve","age":"1"}"#] {
        var credential = try IssuerCredential(sourceID: "s", proposal: proposal(2).text)
        try credential.plan(scene.definition(), values: values, name: "Degree", with: scene.session)
        if values == Self.values {
          try credential.sendOffer(over: connection, with: scene.session)
        } else {
          #expect(throws: IssuingError.otherTerms) { try credential.sendOffer(over: connection, with: scene.session) }
        }
      }
    }

    @Test func aProposalIsDeclined() throws {
      let scene = try RegistrarScene()
      var credential = try IssuerCredential(sourceID: "s", proposal: proposal(2).text)
      try credential.decline(because: "not for you", over: scene.world.completed(), with: scene.session)
      #expect(try credential.state == 9 && scene.last()["comment"] == "not for you")
      #expect(try scene.last()["~thread"]?["thid"] == "p1")
    }

    /// A process that forgets the step and repeats it sends the same message.
    @Test func aRepeatedRefusalIsTheSame() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      let sent = try ["no", "no", "late"].map { reason in
        var credential = try IssuerCredential(sourceID: "s", proposal: proposal(2).text)
        try credential.decline(because: reason, over: connection, with: scene.session)
        return try scene.last()
      }
      #expect(sent[0] == sent[1] && sent[0]["@id"] != sent[2]["@id"])
    }

    @Test func anOfferIsWithdrawn() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      var credential = try scene.planned()
      #expect(throws: ProtocolError.outOfTurn) {
        try credential.decline(because: nil, over: connection, with: scene.session)
      }
      try credential.sendOffer(over: connection, with: scene.session)
      credential = try IssuerCredential(serialized: credential.serialized())
      try credential.decline(because: "too late", over: connection, with: scene.session)
      #expect(try credential.state == 9 && scene.last()["comment"] == "too late")
      #expect(try scene.last()["~thread"]?["thid"]?.string == credential.thread)
    }

    @Test func otherValuesThanTheDefinitionsAreNotPlanned() throws {
      let scene = try RegistrarScene()
      var credential = try IssuerCredential(sourceID: "s", proposal: proposal(2).text)
      #expect(throws: IssuingError.self) {
        try credential.plan(scene.definition(), values: #"{"name":"Alice"}"#, name: "n", with: scene.session)
      }
      #expect(credential.state == 10)
      #expect(throws: ExchangeError.notReady) { try credential.offer(with: scene.session) }
    }

    @Test(arguments: [("1.0", "auto"), ("2.0", "1.0"), ("1.0", "2.0")])
    func theProgramChoosesTheVersionOfAnOffer(version: String, configured: String) throws {
      let scene = try RegistrarScene(version: configured)
      let form = try ExchangeForm(options: #"{"version":"\#(version)","format":"anoncreds"}"#)
      let credential = try IssuerCredential(
        sourceID: "s", definition: scene.definition(), values: Self.values, name: "n", in: form, with: scene.session)
      var restored = try IssuerCredential(serialized: credential.serialized())
      try restored.sendOffer(over: scene.world.completed(), with: scene.session)
      let offer = try scene.last()
      #expect(offer["@type"]?.string?.contains("issue-credential/\(version)/") == true)
      if version == "2.0" { #expect(try IssueCredentialMessage(.offer, offer).content().format == .anonCreds) }
    }

    @Test(arguments: ["", "[]", #"{"version":"3.0"}"#, #"{"version":2}"#, #"{"format":"w3c"}"#, #"{"color":"red"}"#])
    func otherOptionsAreRefused(text: String) {
      #expect(throws: JSONError.self) { try ExchangeForm(options: text) }
    }

    /// The peer is asked once. Its answer decides about later exchanges, also for other objects of the connection.
    @Test func aPeersProtocolsAreAskedForOnce() throws {
      let scene = try RegistrarScene(version: "auto")
      let connection = try scene.world.completed()
      func offeredVersion() throws -> String? {
        var credential = try scene.planned()
        try credential.sendOffer(over: connection, with: scene.session)
        try credential.update(with: scene.session)
        return try scene.last()["@type"]?.string
      }
      #expect(try offeredVersion()?.contains("/1.0/") == true)
      #expect(try offeredVersion()?.contains("/1.0/") == true)
      let queries = try scene.sent("discover-features/1.0/query")
      #expect(queries.count == 1)
      try scene.world.inviter.send(Self.disclosure, from: KeyPair())
      #expect(try offeredVersion()?.contains("/1.0/") == true)
      try scene.world.inviter.send(Self.disclosure.with(["@id": "d2"]))
      #expect(try offeredVersion()?.contains("/1.0/") == true, "the look into the mailbox comes after the offer")
      #expect(try offeredVersion()?.contains("/2.0/") == true)
      #expect(try scene.sent("discover-features/1.0/query").count == 1)
    }

    private static let disclosure: JSON = [
      "@type": "https://didcomm.org/discover-features/1.0/disclose", "@id": "d1", "~thread": ["thid": "q"],
      "protocols": [["pid": "https://didcomm.org/issue-credential/2.0"]],
    ]
  }
}

extension IssuerCredential {
  /// Applies a message of the scene's holder.
  fileprivate mutating func receive(_ message: JSON, from scene: RegistrarScene) throws {
    guard case .connection(let connection)? = route else { return }
    _ = try receive(Message(message), from: .envelope(connection.peer.key), with: scene.session)
  }
}
