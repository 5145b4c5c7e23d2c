import AgencyWire
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import AgencyServer

/// Requests that another implementation has packed, to an agency that holds the keys they are for.
@Suite struct VectorTests {
  let folder: TemporaryFolder
  let vectors: JSON
  let agency: Agency
  let masterKey = MasterKey(SecretBytes(random: MasterKey.length))

  init() throws {
    folder = try TemporaryFolder()
    vectors = try Fixtures.json("didcomm/pack-agency-levels.json")
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { 1_700_000_000 })
    agency = try Self.agency(vectors, storage, masterKey)
  }

  private static func pair(_ vectors: JSON, _ name: String) throws -> KeyPair {
    let seed = try #require(vectors["keys"]?[name]?["seed_hex"]?.string)
    return try KeyPair(seed: SecretBytes(copying: [UInt8](hex: seed)))
  }

  private func pair(_ name: String) throws -> KeyPair { try Self.pair(vectors, name) }

  /// An agency with the account and the mailbox of the vectors.
  private static func agency(_ vectors: JSON, _ storage: any Storage, _ masterKey: MasterKey) throws -> Agency {
    let identity = try pair(vectors, "agency")
    _ = try storage.identity(orElse: Identity(verkey: identity.verkey, sealedKey: masterKey.seal(identity)))
    let owner = try pair(vectors, "sdk_to_remote").verkey
    let agentKey = try pair(vectors, "remote_to_sdk (user agent)")
    let agent = try storage.agent(
      of: owner, ownerDID: owner.did, orElse: NewKey(verkey: agentKey.verkey, sealedKey: masterKey.seal(agentKey)))
    _ = try storage.setState(.created, of: agent)
    let pairwise = try pair(vectors, "user pairwise").verkey
    let mailboxKey = try pair(vectors, "pairwise agent")
    _ = try storage.mailbox(
      of: agent, for: pairwise.did, pairwise, limit: 10,
      orElse: NewKey(verkey: mailboxKey.verkey, sealedKey: masterKey.seal(mailboxKey)))
    return try Agency(storage: storage, masterKey: masterKey)
  }

  private func exchange(_ name: String) throws -> JSON {
    try #require((vectors["messages"]?.array ?? []).first { $0["name"]?.string == name })
  }

  private func post(_ name: String) throws -> [UInt8] {
    try agency.receive(Array(#require(exchange(name)["http_body"]?.string).utf8)).body
  }

  private func open(_ answer: [UInt8], from sender: String) throws -> JSONObject {
    let opened = try Envelope(parsing: answer).open(with: pair("sdk_to_remote"))
    #expect(opened.sender == (try pair(sender).verkey))
    return try JSON(parsing: opened.message).requireObject()
  }

  /// The answer's plaintext in the vectors.
  private func answer(_ name: String) throws -> JSONObject {
    let plaintext = try #require(exchange(name)["layers_inside_out"]?.array?.first?["plaintext"]?.string)
    return try JSON(parsing: plaintext).requireObject()
  }

  @Test func connectingIsAnsweredAsInTheVectors() throws {
    let answer = try open(post("agency level: CONNECT"), from: "agency")
    #expect(answer == (try self.answer("agency level reply: CONNECTED")))
  }

  @Test func creatingAKeyIsAnsweredAsInTheVectors() throws {
    let answer = try open(post("agent level: CREATE_KEY"), from: "remote_to_sdk (user agent)")
    #expect(answer == (try self.answer("agent level reply: KEY_CREATED")))
  }

  @Test func theForwardedPayloadIsHandedOutUnchanged() throws {
    let name = "external agent: trust ping through both routing keys"
    #expect(try post(name).isEmpty)
    let answer = try open(post("pairwise level: GET_MSGS"), from: "pairwise agent")
    let message = try #require(try Messages(answer).messages.first)
    let packed = try #require(exchange(name)["layers_inside_out"]?.array?.first?["packed"]?.string)
    #expect(message.payload?.text == packed)
    let type = try self.answer("pairwise level reply: MSGS (object payload)").string("@type")
    #expect(try answer.string("@type") == type)
  }

  @Test func keysOpenOnlyUnderTheirMasterKeyAndAsTheirOwn() throws {
    let (first, second) = (KeyPair(), KeyPair())
    let sealed = masterKey.seal(first)
    #expect(try masterKey.open(sealed, of: first.verkey).secret == first.secret)
    #expect(throws: SodiumError.notAuthentic) { try masterKey.open(sealed, of: second.verkey) }
    let other = MasterKey(SecretBytes(random: MasterKey.length))
    #expect(throws: SodiumError.notAuthentic) { try other.open(sealed, of: first.verkey) }
    #expect(throws: SodiumError.self) { try masterKey.open(SealedKey([]), of: first.verkey) }
    #expect(masterKey.seal(first) != sealed)
  }
}
