import AnonCreds
import Aries
import Credentials
import Foundation
import JSON
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
    try restart(with: ["issue_credential_version": .string(version)], writes: writes)
    try load()
  }

  /// The library as it is after a new start, with these members of the registry.
  func restart(with members: [String: JSON] = [:], registry: [String: JSON] = [:], writes: Bool = true) throws {
    Agent.ofTest.stop(deletingWallet: false)
    let place: JSON = ["type": "file", "path": .string("\(folder.path)/registry"), "write": .bool(writes)]
    let config = try JSON(parsing: world.config).with([
      "anoncreds_library_path": .string(CredentialLibraries.anonCreds),
      "anoncreds_registries": [place.with(registry)], "institution_did": "V4SGRU86Z58d6TV7PBUe6f",
    ])
    try world.start(config.with(members).text)
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
    if !revocable { try removeRevocation() }
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

  /// A credential that the holder has requested.
  func requested() throws -> IssuerCredential {
    var credential = try offered()
    _ = try request()
    try credential.update(with: session)
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
      "@type": .string(type), "@id": "request-1",
      "~thread": ["thid": offer["~thread"]?["thid"] ?? offer["@id"] ?? .null],
      "requests~attach": [IssuingScene.attachment(request.text, isOlder ? "libindy-cred-request-0" : "indy")],
    ]
    if !isOlder { message["formats"] = [["attach_id": "indy", "format": "hlindy/cred-req@v2.0"]] }
    try world.inviter.send(message)
    return made.metadata
  }

  func ack(_ status: String = "OK") throws {
    let credential = try #require(try sent("issue-credential").last)
    let type = try #require(credential["@type"]?.string)
    try world.inviter.send([
      "@type": .string(type.dropLast("issue-credential".count) + "ack"), "@id": "ack-1", "status": .string(status),
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

  /// Takes the part for revocation from the keys of the definition.
  private func removeRevocation() throws {
    for (type, part) in [("", "revocation"), ("PrivateKey", "r_key")] {
      let records = LibraryRecords(of: "Indy::CredentialDefinition\(type)", in: try session.wallet)
      var json = try JSON(parsing: #require(try records.find(Self.definitionID)).value)
      json["value"]?[part] = type.isEmpty ? nil : .null
      try session.wallet.make([records.putting(Self.definitionID, value: json.text)])
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
