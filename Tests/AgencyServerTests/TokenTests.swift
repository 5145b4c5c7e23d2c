import AgencyWire
import JSON
import Sodium
import TestSupport
import Testing
import Time

@testable import AgencyServer

/// Provisioning with a sponsor's token.
@Suite struct TokenTests {
  let scene: TokenScene

  init() throws { scene = try TokenScene() }

  @Test func theKnownTokenGivesAnAgent() throws {
    let known = try Fixtures.json("didcomm/pack-provision-token.json")
    let token = try ProvisionToken(
      JSONObject(
        ["sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"].map { key in
          (key, try #require(TokenScene.find(key, in: known)))
        }))
    #expect(token.isSignedByItsKey)
    let client = Client(scene.server)
    let created = try SponsoredAgentCreated(scene.provision(client, token))
    #expect(created.agent.verkey.did.text == created.agent.did)
    #expect(created.thread == "thread-1")
    #expect(try client.messages(created.agent).isEmpty)
  }

  @Test func theSameTokenAndKeyGiveTheSameAgentAndNobodyElse() throws {
    let (client, token) = (Client(scene.server), scene.token())
    let first = try SponsoredAgentCreated(scene.provision(client, token)).agent
    #expect(try SponsoredAgentCreated(scene.provision(client, token)).agent == first)
    #expect(try scene.problem(Client(scene.server), token) == "App has already provisioned for this token")
    #expect(try scene.problem(client, scene.token()) == "Already provisioned for given key")
  }

  /// A token is known by its sponsor's nonce as well as by its signature: a sponsor who signs the same nonce again, for
  /// another time or another user, has given the same token.
  @Test(arguments: ["later", "another user"])
  func aNonceThatIsSignedAnewIsUsed(kind: String) throws {
    let (nonce, timestamp) = (String.randomUUID(), "2024-05-17T09:30:01Z")
    let client = Client(scene.server)
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(client, scene.token(nonce: nonce))) }
    let again =
      kind == "later" ? scene.token(nonce: nonce, timestamp: timestamp) : scene.token(sponsee: "user-43", nonce: nonce)
    #expect(try scene.problem(Client(scene.server), again) == "App has already provisioned for this token")
  }

  @Test func aTokenIsKnownByItsNonceAndByItsSignature() {
    let first = scene.token()
    let (sameNonce, sameSignature) = (scene.token(sponsee: "user-43", nonce: first.nonce), first.with(nonce: "other"))
    #expect(sameNonce.marks[0] == first.marks[0] && sameNonce.marks[1] != first.marks[1])
    #expect(sameSignature.marks[0] != first.marks[0] && sameSignature.marks[1] == first.marks[1])
    #expect(scene.token(sponsor: "gone", nonce: first.nonce).marks[0] != first.marks[0])
  }

  @Test func aUsedTokenIsRememberedOverARestart() throws {
    let (client, token) = (Client(scene.server), scene.token())
    let agent = try SponsoredAgentCreated(scene.provision(client, token)).agent
    scene.server.stop()
    let restarted = try TokenScene.server(scene.folder, scene.sponsorKeys, .token, scene.time)
    #expect(try scene.problem(Client(restarted), token) == "App has already provisioned for this token")
    #expect(try SponsoredAgentCreated(scene.provision(Client(restarted, keys: client.keys), token)).agent == agent)
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
    ("deletion", "Token is malformed"),
  ])
  func badTokensAreExplained(kind: String, text: String) throws {
    let good = scene.token()
    let bad: ProvisionToken? =
      switch kind {
      case "none": nil
      case "unknown sponsor": scene.token(sponsor: "nobody")
      case "inactive sponsor": scene.token(sponsor: "gone")
      case "old": scene.token(timestamp: "2024-05-17T09:20:00Z")
      case "early": scene.token(timestamp: "2024-05-17T11:40:00+02:00")
      case "no offset": scene.token(timestamp: "2024-05-17T09:30:00")
      case "foreign key": scene.token(keys: KeyPair())
      case "forged":
        ProvisionToken(
          sponseeID: "user-43", sponsorID: good.sponsorID, nonce: good.nonce, timestamp: good.timestamp,
          signature: good.signature, sponsorVerKey: good.sponsorVerKey)
      case "unpadded":
        ProvisionToken(
          sponseeID: good.sponseeID, sponsorID: good.sponsorID, nonce: good.nonce, timestamp: good.timestamp,
          signature: String(good.signature.dropLast(2)), sponsorVerKey: good.sponsorVerKey)
      case "overlong": scene.token(sponsee: String(repeating: "x", count: 257))
      case "deletion": scene.token(nonce: "a\u{7f}b")
      default: scene.token(nonce: "a\u{1}b")
      }
    let client = Client(scene.server)
    #expect(try scene.problem(client, bad) == text)
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(client, good)) }
  }

  /// Somebody whose id begins with a time, or contains one, gets an honest token for it. It would serve for the user whose id
  /// is the rest.
  @Test(arguments: ["", "mallory"], ["2024-05-17T09:30:00Z", "2024-05-17T11:30:00.5+02:00", "2024-05-17T10:29:00Z"])
  func aTokenForAUserWithATimeInTheIDIsNobodys(start: String, time: String) throws {
    let given = scene.token(sponsee: start + time + "alice")
    let cut = ProvisionToken(
      sponseeID: "alice", sponsorID: given.sponsorID, nonce: given.nonce + given.timestamp + start, timestamp: time,
      signature: given.signature, sponsorVerKey: given.sponsorVerKey)
    #expect(cut.isSignedByItsKey)
    for token in [given, cut] {
      #expect(try scene.problem(Client(scene.server), token) == TokenProblem.malformed.rawValue)
    }
  }

  /// Its time may be almost a window ahead, and it is good for as long after that.
  @Test func aTokenIsRememberedForAsLongAsItIsGood() throws {
    let admission = Admission(mode: .token, window: 600)
    #expect(admission.expiry(at: 1000) == 1000 + 14 * 86_400)
    let (client, token) = (Client(scene.server), scene.token(timestamp: "2024-05-17T09:39:59Z"))
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(client, token)) }
    scene.server.stop()
    scene.time.withLock { $0 += 1198 }
    let restarted = try TokenScene.server(scene.folder, scene.sponsorKeys, .token, scene.time)
    #expect(try scene.problem(Client(restarted), token) == TokenProblem.used.rawValue)
    scene.time.withLock { $0 += 1 }
    #expect(try scene.problem(Client(restarted), token) == TokenProblem.expired.rawValue)
  }

  @Test func aLongerWindowKeepsUsedTokensForLonger() throws {
    scene.server.stop()
    var rules = Agency.Rules()
    var sponsor = Sponsor(id: "example-sponsor")
    sponsor.keys = [scene.sponsorKeys.verkey]
    rules.admission = try Admission(mode: .token, window: 86_400, sponsors: [sponsor])
    let (path, token) = (scene.folder.path, scene.token())
    let first = try AgencyServer(dataFolder: path, rules: rules, clock: { TokenScene.now })
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(Client(first), token)) }
    first.stop()
    let storage = try SQLiteStorage(path: path + "/agency.db", clock: { TokenScene.now })
    let later = TokenScene.now + 86_399
    while try storage.removeExpired(Expiry(Retention(), now: later), limit: 100) > 0 {}
    storage.close()
    let second = try AgencyServer(dataFolder: path, rules: rules, clock: { later })
    #expect(try scene.problem(Client(second), token) == TokenProblem.used.rawValue)
  }

  @Test func aMemberOfATokenMayHave256BytesAndSpaces() throws {
    let token = scene.token(sponsee: "a b" + String(repeating: "~", count: 253))
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(Client(scene.server), token)) }
  }

  @Test func theOlderRequestsNeedAnOpenAgency() throws {
    let client = Client(scene.server)
    let connect = client.request(Connect(fromDID: client.did, fromDIDVerKey: client.keys.verkey.text))
    let response = try client.send(connect, to: client.agency)
    #expect(response.status == 403)
    #expect(WireRefusal(body: response.body)?.statusCode == "ACS-103")
  }

  @Test func anOpenAgencyNeedsNoTokenButChecksOne() throws {
    scene.server.stop()
    let open = try TokenScene.server(scene.folder, scene.sponsorKeys, .open, scene.time)
    let client = Client(open)
    let agent = try SponsoredAgentCreated(scene.provision(client, nil)).agent
    #expect(try SponsoredAgentCreated(scene.provision(client, nil)).agent == agent)
    #expect(throws: Never.self) { try Client(open).provision() }
    #expect(try scene.problem(Client(open), scene.token(keys: KeyPair())).hasPrefix("Token contains verkey"))
  }

  @Test func anAgencyForBothNeedsATokenInTheNewerRequestOnly() throws {
    scene.server.stop()
    let both = try TokenScene.server(scene.folder, scene.sponsorKeys, .both, scene.time)
    #expect(throws: Never.self) { try Client(both).provision() }
    #expect(try scene.problem(Client(both), nil) == TokenProblem.missing.rawValue)
    #expect(throws: Never.self) { try SponsoredAgentCreated(scene.provision(Client(both), scene.token())) }
  }

  /// A sponsor who changes keys signs with both for a while.
  @Test func eachKeyOfASponsorSignsTokens() throws {
    let pairs = (0..<3).map { _ in KeyPair() }
    var sponsor = Sponsor(id: "example-sponsor")
    sponsor.keys = pairs.map(\.verkey)
    let admission = try Admission(mode: .token, sponsors: [sponsor])
    for pair in pairs {
      #expect(throws: Never.self) { try admission.check(scene.token(keys: pair), at: TokenScene.now) }
    }
    #expect(throws: TokenProblem.foreignKey) { try admission.check(scene.token(), at: TokenScene.now) }
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
}
