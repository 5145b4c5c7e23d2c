import AgencyWire
import DIDComm
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading
import Time

@testable import AgencyServer

/// Provisioning with a sponsor's token.
@Suite struct TokenTests {
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
  private static func find(_ key: String, in json: JSON) -> JSON? {
    if let found = json[key] { return found }
    return json.object?.members.lazy.compactMap { find(key, in: $0.value) }.first
  }

  private static func server(
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

  private func token(
    sponsee: String = "user-42", sponsor: String = "example-sponsor", nonce: String = .randomUUID(),
    timestamp: String = "2024-05-17T09:30:00.000000+00:00", keys: KeyPair? = nil
  ) -> ProvisionToken {
    let keys = keys ?? sponsorKeys
    let signature = keys.sign(Array((nonce + timestamp + sponsee + sponsor).utf8))
    return ProvisionToken(
      sponseeID: sponsee, sponsorID: sponsor, nonce: nonce, timestamp: timestamp,
      signature: Base64.encode(signature, .standard), sponsorVerKey: keys.verkey.text)
  }

  private func provision(_ client: Client, _ token: ProvisionToken?) throws -> JSONObject {
    let request = CreateSponsoredAgent(
      token: token, fromDID: client.did, fromVerKey: client.keys.verkey.text, thread: "thread-1")
    let response = try client.send(request.json(type: CreateSponsoredAgent.type), to: client.agency)
    return try client.open(response, from: client.agency).requireObject()
  }

  private func problem(_ client: Client, _ token: ProvisionToken?) throws -> String {
    let answer = try provision(client, token)
    #expect(
      try answer.string("@type") == "did:sov:123456789abcdefghi1234;spec/agent-provisioning/0.7/problem-report")
    #expect(answer["~thread"]?["thid"] == "thread-1")
    return try ProvisioningProblem(answer).text
  }

  @Test func theKnownTokenGivesAnAgent() throws {
    let known = try Fixtures.json("didcomm/pack-provision-token.json")
    let token = try ProvisionToken(
      JSONObject(
        ["sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"].map { key in
          (key, try #require(Self.find(key, in: known)))
        }))
    #expect(token.isSignedByItsKey)
    let client = Client(server)
    let created = try SponsoredAgentCreated(provision(client, token))
    #expect(created.agent.verkey.did.text == created.agent.did)
    #expect(created.thread == "thread-1")
    #expect(try client.messages(created.agent).isEmpty)
  }

  @Test func theSameTokenAndKeyGiveTheSameAgentAndNobodyElse() throws {
    let (client, token) = (Client(server), token())
    let first = try SponsoredAgentCreated(provision(client, token)).agent
    #expect(try SponsoredAgentCreated(provision(client, token)).agent == first)
    #expect(try problem(Client(server), token) == "App has already provisioned for this token")
    #expect(try problem(client, self.token()) == "Already provisioned for given key")
  }

  /// A token is known by its sponsor's nonce as well as by its signature: a sponsor who signs the same nonce again, for
  /// another time or another user, has given the same token.
  @Test(arguments: ["later", "another user"])
  func aNonceThatIsSignedAnewIsUsed(kind: String) throws {
    let (nonce, timestamp) = (String.randomUUID(), "2024-05-17T09:30:01Z")
    let client = Client(server)
    #expect(throws: Never.self) { try SponsoredAgentCreated(provision(client, token(nonce: nonce))) }
    let again =
      kind == "later" ? token(nonce: nonce, timestamp: timestamp) : token(sponsee: "user-43", nonce: nonce)
    #expect(try problem(Client(server), again) == "App has already provisioned for this token")
  }

  @Test func aTokenIsKnownByItsNonceAndByItsSignature() {
    let first = token()
    let (sameNonce, sameSignature) = (token(sponsee: "user-43", nonce: first.nonce), first.with(nonce: "other"))
    #expect(sameNonce.marks[0] == first.marks[0] && sameNonce.marks[1] != first.marks[1])
    #expect(sameSignature.marks[0] != first.marks[0] && sameSignature.marks[1] == first.marks[1])
    #expect(token(sponsor: "gone", nonce: first.nonce).marks[0] != first.marks[0])
  }

  @Test func aUsedTokenIsRememberedOverARestart() throws {
    let (client, token) = (Client(server), token())
    let agent = try SponsoredAgentCreated(provision(client, token)).agent
    server.stop()
    let restarted = try Self.server(folder, sponsorKeys, .token, time)
    #expect(try problem(Client(restarted), token) == "App has already provisioned for this token")
    #expect(try SponsoredAgentCreated(provision(Client(restarted, keys: client.keys), token)).agent == agent)
  }

  @Test(arguments: [
    ("none", "Token is required for provisioning"),
    ("unknown sponsor", "Sponsor not found - possible sponsor deactivation"),
    ("inactive sponsor", "Sponsor has an inactive status - cannot provision"),
    ("old", "Timestamp provided has expired - possibly get new token from sponsor"),
    ("early", "Timestamp provided has expired - possibly get new token from sponsor"),
    ("no offset", "Timestamp provided has expired - possibly get new token from sponsor"),
    ("foreign key", "Token contains verkey which doesn't match sponsor's information"),
    ("forged", "Signature is invalid - ex. Base64Encode(Sign(nonce + timestamp + sponseeId + sponsorId))"),
    ("unpadded", "Signature is invalid - ex. Base64Encode(Sign(nonce + timestamp + sponseeId + sponsorId))"),
    ("overlong", "Token is malformed"), ("control character", "Token is malformed"),
  ])
  func badTokensAreExplained(kind: String, text: String) throws {
    let good = token()
    let bad: ProvisionToken? =
      switch kind {
      case "none": nil
      case "unknown sponsor": token(sponsor: "nobody")
      case "inactive sponsor": token(sponsor: "gone")
      case "old": token(timestamp: "2024-05-17T09:20:00Z")
      case "early": token(timestamp: "2024-05-17T11:40:00+02:00")
      case "no offset": token(timestamp: "2024-05-17T09:30:00")
      case "foreign key": token(keys: KeyPair())
      case "forged":
        ProvisionToken(
          sponseeID: "user-43", sponsorID: good.sponsorID, nonce: good.nonce, timestamp: good.timestamp,
          signature: good.signature, sponsorVerKey: good.sponsorVerKey)
      case "unpadded":
        ProvisionToken(
          sponseeID: good.sponseeID, sponsorID: good.sponsorID, nonce: good.nonce, timestamp: good.timestamp,
          signature: String(good.signature.dropLast(2)), sponsorVerKey: good.sponsorVerKey)
      case "overlong": token(sponsee: String(repeating: "x", count: 257))
      default: token(nonce: "a\u{1}b")
      }
    let client = Client(server)
    #expect(try problem(client, bad) == text)
    #expect(throws: Never.self) { try SponsoredAgentCreated(provision(client, good)) }
  }

  @Test func theOlderRequestsNeedAnOpenAgency() throws {
    let client = Client(server)
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    let response = try client.send(connect, to: client.agency)
    #expect(response.status == 403)
    #expect(WireRefusal(body: response.body)?.statusCode == "ACS-103")
  }

  @Test func anOpenAgencyNeedsNoTokenButChecksOne() throws {
    server.stop()
    let open = try Self.server(folder, sponsorKeys, .open, time)
    let client = Client(open)
    let agent = try SponsoredAgentCreated(provision(client, nil)).agent
    #expect(try SponsoredAgentCreated(provision(client, nil)).agent == agent)
    #expect(throws: Never.self) { try Client(open).provision() }
    #expect(try problem(Client(open), token(keys: KeyPair())).hasPrefix("Token contains verkey"))
  }

  // MARK: - Tokens through the agency

  private func ask(
    _ server: AgencyServer, sponsee: String = "user-42", sponsor: String = "example-sponsor"
  ) throws -> JSONObject {
    let client = Client(server)
    let request = GetToken(sponseeID: sponsee, sponsorID: sponsor)
    let response = try client.send(request.json(type: GetToken.type), to: client.agency)
    return try client.open(response, from: client.agency).requireObject()
  }

  /// An agency whose sponsor has a backend.
  private func server(
    _ folder: TemporaryFolder, asking endpoint: String, secret: SecretBytes? = nil
  ) throws -> AgencyServer {
    var sponsor = Sponsor(id: "example-sponsor")
    sponsor.keys = [sponsorKeys.verkey]
    sponsor.tokenEndpoint = endpoint
    sponsor.webhookSecret = secret
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .token, sponsors: [sponsor])
    return try AgencyServer(dataFolder: folder.path, rules: rules, clock: { Self.now })
  }

  @Test(arguments: [
    ("example-sponsor", "Tokens come from the sponsor"), ("gone", TokenProblem.inactiveSponsor.rawValue),
    ("nobody", TokenProblem.unknownSponsor.rawValue),
  ])
  func withoutASponsorWhoGivesTokensThisAgencyHasNone(sponsor: String, text: String) throws {
    let answer = try ask(server, sponsor: sponsor)
    #expect(try answer.string("@type").hasSuffix("token-provisioning/0.1/problem-report"))
    #expect(try ProvisioningProblem(answer).text == text)
  }

  @Test func aTokenOfTheSponsorsBackendIsHandedOn() throws {
    let (folder, calls, good) = (try TemporaryFolder(), Locked<[HTTPServer.Request]>([]), token())
    let backend = try HTTPServer { request in
      calls.withLock { $0.append(request) }
      return HTTPServer.Response(contentType: "application/json", body: good.json.bytes)
    }
    let secret = SecretBytes(copying: Array("shared".utf8))
    let server = try server(folder, asking: backend.endpoint + "/generate", secret: secret)
    let answer = try ask(server)
    #expect(try answer.string("@type") == "did:sov:123456789abcdefghi1234;spec/token-provisioning/0.1/send-token")
    let sent = try TokenSent(answer)
    #expect(sent.token == good)
    #expect(sent.id.count == 36)
    let call = try #require(calls.withLock { $0 }.first)
    #expect(call.path == "/generate")
    #expect(call.body == Array(#"{"sponseeId":"user-42"}"#.utf8))
    #expect(call.header("x-msdk-signature") == "sha256=" + HMACKey(secret).authenticate(call.body).hex)
    #expect(throws: Never.self) { try SponsoredAgentCreated(provision(Client(server), sent.token)) }
    let overlong = try ask(server, sponsee: String(repeating: "x", count: 257))
    #expect(try ProvisioningProblem(overlong).text == TokenProblem.malformed.rawValue)
    #expect(calls.withLock { $0.count } == 1)
  }

  @Test(arguments: [
    ("nothing", TokenProblem.none), ("another user's", .none), ("another sponsor's", .none), ("refused", .none),
    ("forged", .forged), ("old", .expired), ("foreign key", .foreignKey), ("away", .none),
  ])
  func whatIsNoGoodTokenIsNotHandedOn(kind: String, problem: TokenProblem) throws {
    let folder = try TemporaryFolder()
    let body: JSON =
      switch kind {
      case "nothing": [:]
      case "another user's": token(sponsee: "user-43").json
      case "another sponsor's": token(sponsor: "gone").json
      case "forged": token(timestamp: "2024-05-17T09:30:00Z").with(nonce: "other").json
      case "old": token(timestamp: "2024-05-17T09:20:00Z").json
      case "foreign key": token(keys: KeyPair()).json
      default: token().json
      }
    let backend = try HTTPServer { _ in
      HTTPServer.Response(status: kind == "refused" ? 403 : 200, body: body.bytes)
    }
    let server = try server(folder, asking: backend.endpoint)
    if kind == "away" { backend.stop() }
    #expect(try ProvisioningProblem(ask(server)).text == problem.rawValue)
  }

  /// A backend that does not answer holds a few of the agency's threads, and no more.
  @Test func aFewTokensAreFetchedAtATime() throws {
    let folder = try TemporaryFolder()
    let backend = Monitor((calls: 0, isOver: false))
    let silent = try HTTPServer { _ in
      backend.withLock { $0.calls += 1 }
      _ = backend.wait(milliseconds: 20_000) { $0.isOver ? true : nil }
      return HTTPServer.Response(status: 503)
    }
    defer { backend.withLock { $0.isOver = true } }
    let server = try server(folder, asking: silent.endpoint)
    let done = Monitor(0)
    for _ in 0..<8 {
      Threads.shared.post { [self] in
        _ = try? ask(server)
        done.withLock { $0 += 1 }
      }
    }
    #expect(backend.wait(milliseconds: 20_000) { $0.calls == 8 ? true : nil } == true)
    #expect(try ProvisioningProblem(ask(server)).text == TokenProblem.none.rawValue)
    #expect(backend.withLock { $0.calls } == 8)
    backend.withLock { $0.isOver = true }
    done.wait { $0 == 8 ? () : nil }
  }

  @Test func sponsorIDsMustNotEndAlike() throws {
    #expect(throws: AdmissionError.ambiguousSponsorIDs("example-sponsor", "sponsor")) {
      try Admission(mode: .token, sponsors: [Sponsor(id: "example-sponsor"), Sponsor(id: "sponsor")])
    }
    #expect(throws: AdmissionError.ambiguousSponsorIDs("a", "a")) {
      try Admission(mode: .token, sponsors: [Sponsor(id: "a"), Sponsor(id: "a")])
    }
    #expect(throws: AdmissionError.emptySponsorID) { try Admission(mode: .token, sponsors: [Sponsor(id: "")]) }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2024-05-17T09:30:00.000000+00:00", now), ("2024-05-17T09:30:00.123456789Z", now),
    ("2024-05-17T11:30:00+02:00", now), ("2024-05-16T22:00:00-11:30", now), ("2000-02-29T00:00:00Z", 951_782_400),
    ("2038-01-19T03:14:08Z", 2_147_483_648),
  ])
  func timestampsAreRead(text: String, seconds: Int64) {
    #expect(Timestamp(ofToken: text)?.seconds == seconds)
  }

  @Test(arguments: [
    "", "2024", "2024-05-17", "2024-05-17T09:30:00", "2024-05-17 09:30:00Z", "2024-05-17T09:30:00.Z",
    "2024-05-17T09:30:00.1234567890Z", "2024-13-17T09:30:00Z", "2023-02-29T09:30:00Z", "2024-05-17T24:00:00Z",
    "2024-05-17T09:60:00Z", "2024-05-17T09:30:00+24:00", "2024-05-17T09:30:00+0200",
    "2024-05-17T09:30:00Zx", "+024-05-17T09:30:00Z", "2024-05-17T09:30:00z",
  ])
  func otherTimestampsAreRefused(text: String) {
    #expect(Timestamp(ofToken: text) == nil)
  }
}

extension ProvisionToken {
  /// The same with another nonce, which its signature is not for.
  fileprivate func with(nonce: String) -> ProvisionToken {
    ProvisionToken(
      sponseeID: sponseeID, sponsorID: sponsorID, nonce: nonce, timestamp: timestamp, signature: signature,
      sponsorVerKey: sponsorVerKey)
  }
}
