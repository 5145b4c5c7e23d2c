import Aries
import Credentials
import DIDComm
import Foundation
import JSON
import Sodium
import TestSupport

@testable import MSDK

/// A world whose inviter issues credentials, and whose session reads the registry that it publishes them in.
final class IssuingScene {
  let world: World
  let issuer: TestIssuer
  let registry: TemporaryFolder
  /// The attached offers, by their threads.
  private var offers: [String: String] = [:]

  init() throws {
    world = try World()
    issuer = try TestIssuer()
    registry = try TemporaryFolder()
    try issuer.publish(in: registry.url)
    try restart()
  }

  var session: MSDK.Session { get throws { try world.session } }

  /// The library as it is after a new start.
  func restart(engine: String = CredentialLibraries.anonCreds, with members: [String: JSON] = [:]) throws {
    Agent.ofTest.stop(deletingWallet: false)
    var config = try JSON(parsing: world.config)
    config["anoncreds_library_path"] = .string(engine)
    config["anoncreds_registries"] = [["type": "file", "path": .string(registry.path)]]
    for (key, value) in members { config[key] = value }
    try world.start(config.text)
  }

  func unpublish() throws {
    for name in ["schema", "cred_def"] { try FileManager.default.removeItem(at: registry.url.appending(path: name)) }
  }

  // MARK: The issuer

  func offerText(
    version: Int = 2, id: String = "offer-1", preview: [String: String] = TestIssuer.values
  ) throws -> JSON {
    let offer = try issuer.offer()
    offers[id] = offer
    return Self.offer(offer, version: version, id: id, preview: preview)
  }

  /// The engine's offer on a thread.
  func offer(ofThread id: String) throws -> String {
    guard let offer = offers[id] else { throw ScriptedInviter.MissingRequest() }
    return offer
  }

  static func offer(
    _ content: String, version: Int = 2, id: String = "offer-1", preview: [String: String] = TestIssuer.values
  ) -> JSON {
    let type = "https://didcomm.org/issue-credential/\(version).0"
    var message: JSON = [
      "@type": .string("\(type)/offer-credential"), "@id": .string(id), "comment": "yours",
      "credential_preview": [
        "@type": .string("\(type)/credential-preview"),
        "attributes": .array(
          preview.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "value": .string($0.value)] }),
      ],
      "offers~attach": [attachment(content, version == 1 ? "libindy-cred-offer-0" : "indy")],
    ]
    if version == 2 { message["formats"] = [["attach_id": "indy", "format": "hlindy/cred-abstract@v2.0"]] }
    return message
  }

  static func attachment(_ text: String, _ id: String) -> JSON {
    [
      "@id": .string(id), "mime-type": "application/json",
      "data": ["base64": .string(Base64.encode(Array(text.utf8), .standard))],
    ]
  }

  static func credential(_ content: String, version: Int = 2, thread: String = "offer-1") -> JSON {
    var message: JSON = [
      "@type": .string("https://didcomm.org/issue-credential/\(version).0/issue-credential"), "@id": "credential-1",
      "~thread": ["thid": .string(thread)],
      "credentials~attach": [attachment(content, version == 1 ? "libindy-cred-0" : "indy")],
    ]
    if version == 2 { message["formats"] = [["attach_id": "indy", "format": "hlindy/cred@v2.0"]] }
    return message
  }

  /// Sends an offer to the holder's mailbox.
  func offer(version: Int = 2, id: String = "offer-1", preview: [String: String] = TestIssuer.values) throws {
    try world.inviter.send(offerText(version: version, id: id, preview: preview))
  }

  /// Answers the holder's last request, with a change if one is given.
  func issue(
    version: Int = 2, values: [String: String] = TestIssuer.values, at index: Int64? = TestIssuer.place,
    from sender: KeyPair? = nil,
    _ change: (inout JSON) -> Void = { _ in }
  ) throws {
    let requests = try world.inviter.received().filter { $0.json["requests~attach"] != nil }
    guard let request = requests.last?.json, let offer = offers["offer-1"] else {
      throw ScriptedInviter.MissingRequest()
    }
    let content = try issuer.credential(
      answering: Attachment(firstOf: request).content, to: offer, values: values, at: index)
    var credential = try JSON(parsing: content)
    change(&credential)
    try world.inviter.send(Self.credential(credential.text, version: version), from: sender)
  }

  /// The last message that came from the holder.
  func last() throws -> JSON {
    guard let last = try world.inviter.received().last else { throw ScriptedInviter.MissingRequest() }
    return last.json
  }

  // MARK: The holder

  /// A credential that was offered over the connection of the world, which is completed if it was not.
  func offered() throws -> Credential {
    let offer = try offerText()
    return try Credential(sourceID: "degree", offer: offer.text)
  }

  func requested() throws -> Credential {
    let connection = try world.completed()
    var credential = try offered()
    try credential.sendRequest(over: connection, with: session)
    return credential
  }

  func issued(at index: Int64? = TestIssuer.place) throws -> Credential {
    var credential = try requested()
    try issue(at: index)
    try credential.update(with: session)
    return credential
  }

  func stored() throws -> [String] { try session.credentials.all().map(\.id) }

  func newMessages() throws -> [JSON] {
    let text = try session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
    return try JSON(parsing: text).requireArray().flatMap { $0["msgs"]?.array ?? [] }
  }

  /// The one new message: its id and its text.
  func newMessage() throws -> (uid: String, text: String) {
    guard let message = try newMessages().last, let uid = message["uid"]?.string,
      let payload = message["decryptedPayload"]?.string, let text = try JSON(parsing: payload)["@msg"]?.string
    else { throw ScriptedInviter.MissingRequest() }
    return (uid, text)
  }
}
