import AgencyWire
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// An agency that gives accounts for tokens of its sponsor. The sponsor's keys are those of the known answer.
struct TokenScene {
  static let now: Int64 = 1_715_938_200  // 2024-05-17T09:30:00Z

  let folder: TemporaryFolder
  let time = Locked(now)
  let sponsorKeys: KeyPair
  let server: AgencyServer

  init() throws {
    folder = try TemporaryFolder()
    let token = try Fixtures.json("didcomm/pack-provision-token.json")
    let seed = try #require(Self.find("seed_utf8", in: token)?.string)
    sponsorKeys = try KeyPair(seed: SecretBytes(copying: Array(seed.utf8)))
    server = try Self.server(folder, sponsorKeys, .token, time)
  }

  /// The member of that name, wherever it is.
  static func find(_ key: String, in json: JSON) -> JSON? {
    if let found = json[key] { return found }
    return json.object?.members.lazy.compactMap { find(key, in: $0.value) }.first
  }

  static func server(
    _ folder: TemporaryFolder, _ keys: KeyPair, _ mode: Admission.Mode, _ time: Locked<Int64>
  ) throws -> AgencyServer {
    var known = Sponsor(id: "example-sponsor")
    known.keys = [keys.verkey]
    var inactive = Sponsor(id: "gone")
    inactive.isActive = false
    inactive.keys = [keys.verkey]
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: mode, sponsors: [known, inactive])
    return try AgencyServer(dataFolder: folder.path, rules: rules, clock: { time.withLock { $0 } })
  }

  func token(
    sponsee: String = "user-42", sponsor: String = "example-sponsor", nonce: String = .randomUUID(),
    timestamp: String = "2024-05-17T09:30:00.000000+00:00", keys: KeyPair? = nil
  ) -> ProvisionToken {
    let keys = keys ?? sponsorKeys
    let signature = keys.sign(Array((nonce + timestamp + sponsee + sponsor).utf8))
    return ProvisionToken(
      sponseeID: sponsee, sponsorID: sponsor, nonce: nonce, timestamp: timestamp,
      signature: Base64.encode(signature, .standard), sponsorVerKey: keys.verkey.text)
  }

  func provision(_ client: Client, _ token: ProvisionToken?) throws -> JSONObject {
    let request = CreateSponsoredAgent(
      token: token, fromDID: client.did, fromVerKey: client.keys.verkey.text, thread: "thread-1")
    let response = try client.send(request.json(type: CreateSponsoredAgent.type), to: client.agency)
    return try client.open(response, from: client.agency).requireObject()
  }

  func problem(_ client: Client, _ token: ProvisionToken?) throws -> String {
    let answer = try provision(client, token)
    #expect(
      try answer.string("@type") == "did:sov:123456789abcdefghi1234;spec/agent-provisioning/0.7/problem-report")
    #expect(answer["~thread"]?["thid"] == "thread-1")
    return try ProvisioningProblem(answer).text
  }
}

extension ProvisionToken {
  /// The same with another nonce, which its signature is not for.
  func with(nonce: String) -> ProvisionToken {
    ProvisionToken(
      sponseeID: sponseeID, sponsorID: sponsorID, nonce: nonce, timestamp: timestamp, signature: signature,
      sponsorVerKey: sponsorVerKey)
  }
}
