import AnonCreds
import Aries
import Credentials
import Foundation
import JSON
import Registry
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

/// A world whose session issues credentials of the fixtures' definition to the scripted inviter, and publishes in a
/// folder.
final class RegistrarScene {
  let world: World
  let folder: TemporaryFolder
  let engine: Engine
  let linkSecret: SecretBytes
  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"
  static let registryID = "V4SGRU86Z58d6TV7PBUe6f:4:\(definitionID):CL_ACCUM:tag1"

  init(version: String = "2.0", writes: Bool = true) throws {
    world = try World()
    folder = try TemporaryFolder()
    engine = try Engine.open(at: CredentialLibraries.anonCreds)
    linkSecret = try engine.createLinkSecret()
    MSDK.Session.stop(deletingWallet: false)
    var config = try JSON(parsing: world.config)
    config["anoncreds_library_path"] = .string(CredentialLibraries.anonCreds)
    config["anoncreds_registries"] = [
      ["type": "file", "path": .string("\(folder.path)/registry"), "write": .bool(writes)]
    ]
    config["issue_credential_version"] = .string(version)
    config["institution_did"] = "V4SGRU86Z58d6TV7PBUe6f"
    try MSDK.Session.start(Settings(parsing: config.text))
    try load()
  }

  var session: MSDK.Session { get throws { try world.session } }

  /// The wallet of an issuer that libindy made, with its tails file.
  private func load() throws {
    let wallet = try session.wallet
    for record in try Fixtures.json("issuer/wallet_records.json").requireObject().array("records") {
      let record = try record.requireObject()
      var value = try record.string("value")
      if try record.string("type") == "Indy::RevocationRegistryDefinition" {
        var json = try JSON(parsing: value)
        json["value"]?["tailsLocation"] = .string("\(folder.path)/tails")
        value = json.text
      }
      let records = LibraryRecords(of: try record.string("type"), in: wallet)
      try wallet.make([records.putting(try record.string("id"), value: value)])
    }
    let tails = try Fixtures.json("issuer/tails.json")
    try Data(Base64.decodeAny(tails["base64"]?.string ?? "")).write(to: folder.url.appending(path: "tails"))
  }

  /// The definition, published.
  func definition(revocable: Bool = true) throws -> CredentialDefinition {
    let name = revocable ? "credentialdef" : "credentialdef_not_revocable"
    var text = try #require(try Fixtures.json("issuer/public_objects.json")[name])
    text["data"]?["state"] = 0
    var definition = try CredentialDefinition(serialized: text.text)
    try definition.update(with: session)
    return definition
  }

  func offered(revocable: Bool = true) throws -> IssuerCredential {
    let connection = try world.completed()
    var credential = try planned(revocable: revocable)
    try credential.sendOffer(over: connection, with: session)
    return credential
  }

  func planned(revocable: Bool = true) throws -> IssuerCredential {
    try IssuerCredential(
      sourceID: "s", definition: definition(revocable: revocable), values: #"{"name":"Alice","age":"28"}"#,
      name: "Degree", with: session)
  }

  /// The last message that came to the holder.
  func last() throws -> JSON { try #require(try world.inviter.received().last).json }

  func sent(_ name: String) throws -> [JSON] {
    try world.inviter.received().map(\.json).filter { $0["@type"]?.string?.hasSuffix(name) ?? false }
  }

  /// The holder answers the last offer. Returns the metadata of its request.
  func request(_ change: (inout JSON) -> Void = { _ in }) throws -> String {
    let offer = try #require(try sent("offer-credential").last)
    let content = try Attachment(firstOf: offer).content
    let made = try engine.createRequest(
      offer: content, definition: session.credentialIssuer().definition(Self.definitionID).text,
      linkSecret: linkSecret, linkSecretName: "main", identity: .proverDID("Th7MpTaRZVRYnPiabds81Y"))
    var request = try JSON(parsing: made.request)
    change(&request)
    let type = try #require(offer["@type"]?.string).replacing("offer-credential", with: "request-credential")
    let isOlder = type.contains("/1.0/")
    var message: JSON = [
      "@type": .string(type), "@id": "request-1", "~thread": ["thid": offer["@id"] ?? .null],
      "requests~attach": [IssuingScene.attachment(request.text, isOlder ? "libindy-cred-request-0" : "indy")],
    ]
    if !isOlder { message["formats"] = [["attach_id": "indy", "format": "hlindy/cred-req@v2.0"]] }
    try world.inviter.send(message)
    return made.metadata
  }

  func ack() throws {
    let credential = try #require(try sent("issue-credential").last)
    let type = try #require(credential["@type"]?.string)
    try world.inviter.send([
      "@type": .string(type.dropLast("issue-credential".count) + "ack"), "@id": "ack-1", "status": "OK",
      "~thread": ["thid": credential["~thread"]?["thid"] ?? .null],
    ])
  }

  /// The last place that was given to a credential.
  func lastPlace() throws -> Int64? {
    let records = LibraryRecords(of: "Indy::RevocationRegistryInfo", in: try session.wallet)
    return try records.find(Self.registryID).flatMap { try JSON(parsing: $0.value)["curr_id"]?.integer }
  }

  /// Turns the registry into one whose places are revoked until they are issued.
  func issueOnDemand() throws {
    for type in ["Indy::RevocationRegistryDefinition", "Indy::RevocationRegistryInfo"] {
      let records = LibraryRecords(of: type, in: try session.wallet)
      var json = try JSON(parsing: #require(try records.find(Self.registryID)).value)
      if type.hasSuffix("Info") { json["used_ids"] = [] } else { json["value"]?["issuanceType"] = "ISSUANCE_ON_DEMAND" }
      try session.wallet.make([records.putting(Self.registryID, value: json.text)])
    }
  }

  /// Keeps the registry from taking new status lists, or lets it take them again.
  func blockLists(_ isBlocked: Bool) throws {
    let (lists, aside) = (folder.url.appending(path: "registry/rev_status_list"), folder.url.appending(path: "aside"))
    if isBlocked {
      try FileManager.default.moveItem(at: lists, to: aside)
      try Data().write(to: lists)
    } else {
      try FileManager.default.removeItem(at: lists)
      try FileManager.default.moveItem(at: aside, to: lists)
    }
  }

  func lists() throws -> [JSON] {
    let file = folder.url.appending(path: "registry/rev_status_list")
      .appending(path: "\(Self.registryID.replacing(":", with: "%3A")).json", directoryHint: .notDirectory)
    return try JSON(parsing: Array(Data(contentsOf: file))).requireArray()
  }
}

extension SDKTests {
  @Suite(.serialized) struct IssuerCredentialTests {
    @Test(arguments: ["1.0", "2.0"]) func aCredentialIsOfferedIssuedAndRevoked(version: String) throws {
      let scene = try RegistrarScene(version: version)
      var credential = try scene.offered()
      #expect(credential.state == 2)
      let offer = try scene.last()
      #expect(offer["@type"]?.string?.hasSuffix("issue-credential/\(version)/offer-credential") == true)
      let metadata = try scene.request()
      try credential.update(with: scene.session)
      #expect(credential.state == 3)
      try credential.sendCredential(with: scene.session)
      #expect(credential.state == 4)
      let message = try scene.last()
      let content = try Attachment(firstOf: message).content
      let issuer = try scene.session.credentialIssuer()
      let held = try scene.engine.process(
        credential: content, metadata: metadata, linkSecret: scene.linkSecret,
        definition: issuer.definition(RegistrarScene.definitionID).text,
        registry: issuer.registry(RegistrarScene.registryID).text)
      #expect(try JSON(parsing: held)["values"]?["age"]?["raw"] == "28")
      try scene.ack()
      try credential.update(with: scene.session)
      guard case .finished(let finished) = credential.machine else { throw Unexpected() }
      #expect(finished.status == .succeeded && finished.delivery?.place?.index == 3)
      try credential.revoke(with: scene.session)
      #expect(try scene.last()["@type"]?.string?.hasSuffix("revocation_notification/\(version)/revoke") == true)
      #expect(try scene.lists().last?["revocationList"] == [0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
      let (count, lists) = (try scene.world.inviter.received().count, try scene.lists().count)
      try credential.revoke(with: scene.session)
      #expect(try scene.world.inviter.received().count == count && scene.lists().count == lists)
    }

    struct Unexpected: Error {}

    @Test func aHolderThatIsAwayGetsTheSameCredentialLater() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      let before = credential
      scene.world.inviter.answer(500)
      #expect(throws: DeliveryError.self) { try credential.sendCredential(with: scene.session) }
      #expect(credential.machine == before.machine)
      scene.world.inviter.answer(200)
      for _ in 0..<2 {
        credential = try IssuerCredential(serialized: before.serialized())
        try credential.sendCredential(with: scene.session)
      }
      let sent = try scene.sent("issue-credential")
      #expect(sent.count == 2 && sent[0] == sent[1])
      #expect(try scene.lastPlace() == 3)
    }

    /// A registry of an older library, in which a place is revoked until its credential is issued. The credential is of
    /// no use to its holder before the registry says so.
    @Test func aPlaceIsPublishedAsValidBeforeItsCredentialIsSent() throws {
      let scene = try RegistrarScene()
      try scene.issueOnDemand()
      var credential = try scene.offered()
      #expect(try scene.lists().last?["revocationList"]?.array?.contains(0) == false)
      _ = try scene.request()
      try credential.update(with: scene.session)
      try scene.blockLists(true)
      #expect(throws: PublicationFailure.self) { try credential.sendCredential(with: scene.session) }
      #expect(try credential.state == 3 && scene.sent("issue-credential").isEmpty)
      try scene.blockLists(false)
      try credential.sendCredential(with: scene.session)
      #expect(try credential.state == 4 && scene.sent("issue-credential").count == 1)
      #expect(try scene.lists().last?["revocationList"] == [1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1])
    }

    @Test func theSameOfferIsSentAgain() throws {
      let scene = try RegistrarScene()
      let connection = try scene.world.completed()
      let planned = try scene.planned()
      for _ in 0..<2 {
        var credential = try IssuerCredential(serialized: planned.serialized())
        try credential.sendOffer(over: connection, with: scene.session)
      }
      let offers = try scene.sent("offer-credential")
      #expect(offers.count == 2 && offers[0] == offers[1])
    }

    @Test(arguments: ["cred_def_id", "blinded_ms"])
    func aRequestThatDoesNotAnswerTheOfferIsRefused(member: String) throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered(revocable: false)
      _ = try scene.request { $0[member] = "1" }
      try credential.update(with: scene.session)
      #expect(throws: IssuingError.self) { try credential.sendCredential(with: scene.session) }
      #expect(credential.state == 3)
      #expect(try scene.last()["description"]?["code"] == "invalid-credential-request")
    }

    @Test func withoutAPlaceToPublishARevocationWaits() throws {
      let scene = try RegistrarScene(writes: false)
      #expect(throws: PublicationFailure.self) { try scene.definition() }
    }

    @Test(arguments: [#"{"name":"Alice"}"#, #"{"name":"Alice","age":"28","x":"1"}"#, #"{"name":"A","age":null}"#, "[]"])
    func otherValuesThanTheDefinitionsAreRefused(values: String) throws {
      let scene = try RegistrarScene()
      let definition = try scene.definition()
      #expect(throws: IssuingError.self) {
        try IssuerCredential(
          sourceID: "s", definition: definition, values: values, name: "n", with: scene.session)
      }
    }

    @Test func aMessageFromSomebodyElseHasNoEffect() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      try scene.world.inviter.send(
        [
          "@type": "https://didcomm.org/issue-credential/2.0/problem-report", "@id": "r",
          "~thread": ["thid": .string(credential.thread)], "description": ["code": "x", "en": "x"],
        ], from: KeyPair())
      try credential.update(with: scene.session)
      #expect(credential.state == 2)
    }

    /// The program hands the offer over itself, and awaits the answer at its invitation.
    @Test func anOfferForAnInvitationNamesTheService() throws {
      let scene = try RegistrarScene()
      var credential = try scene.planned()
      #expect(try JSON(parsing: credential.offer(with: scene.session))["~service"] == nil)
      let plan = try OutOfBandPlan(
        goalCode: nil, goal: nil, handshake: false, request: JSON(parsing: credential.offer(with: scene.session)))
      var invited = Connection(sourceID: "anybody", inviting: .outOfBand(plan))
      try invited.connect(ConnectionOptions(parsing: nil), with: scene.session)
      try credential.sendOffer(over: invited, with: scene.session)
      let offer = try JSON(parsing: credential.offer(with: scene.session))
      #expect(try offer["~service"] == invited.route().service.decorator)
      var sent = try scene.offered()
      #expect(try JSON(parsing: sent.offer(with: scene.session))["~service"] == nil)
    }

    @Test func onlyAnIssuedCredentialIsRevoked() throws {
      let scene = try RegistrarScene()
      var credential = try scene.offered()
      #expect(throws: ExchangeError.notReady) { try credential.revoke(with: scene.session) }
      #expect(credential.state == 2)
    }

    @Test func aMessageBeforeTheOfferHasNoEffect() throws {
      let scene = try RegistrarScene()
      var credential = try scene.planned()
      let message = #"{"@type":"https://didcomm.org/x/1.0/y","@id":"1"}"#
      try credential.receive(message, with: { () throws -> MSDK.Session in throw Unexpected() }())
      #expect(credential.state == 1)
    }

    @Test(
      arguments: [
        (
          [["pid": "https://didcomm.org/issue-credential/2.0"], ["pid": "https://didcomm.org/issue-credential/1.0"]], 2
        ),
        ([["pid": "https://didcomm.org/issue-credential/1.0"]], 1), (["https://didcomm.org/issue-credential/1.0"], 1),
        ([["pid": "https://didcomm.org/x/1.0"]], nil), (.null, nil),
      ] as [(JSON, Int?)])
    func theHighestDisclosedVersionIsOffered(protocols: JSON, version: Int?) throws {
      let scene = try RegistrarScene(version: "auto")
      var connection = try scene.world.completed()
      guard case .completed(var completed) = connection.machine else { throw Unexpected() }
      #expect(try scene.session.issuingDialect(over: nil).major == 2)
      completed.protocols = JSONText(protocols)
      connection.machine = .completed(completed)
      let usual = completed.invitation?.json.value["services"] == nil ? 1 : 2
      #expect(try scene.session.issuingDialect(over: connection).major == version ?? usual)
      let proofProtocols = (protocols.array ?? []).map { item -> JSON in
        let text = item["pid"]?.string ?? item.string ?? ""
        return ["pid": .string(text.replacing("issue-credential", with: "present-proof"))]
      }
      completed.protocols = JSONText(.array(proofProtocols))
      connection.machine = .completed(completed)
      #expect(connection.proofVersion == version ?? usual)
    }
  }
}
