import AgencyWire
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@Suite struct TokenTests {
  static let fixture = "didcomm/pack-provision-token.json"

  private func known() throws -> JSONObject { try #require(try Fixtures.json(Self.fixture)["token"]?.object) }

  @Test func theKnownTokenIsReadWrittenAndVerified() throws {
    let token = try ProvisionToken(known())
    #expect(token.signedText == (try Fixtures.json(Self.fixture)["signed_string"]?.string))
    #expect(token.isSignedByItsKey)
    #expect(token.json == .object(try known()))
  }

  /// The fixture's last case moves the border between two members, which no signature over their sum can notice.
  @Test func changedTokensAreNoticedWhereTheSignatureCovers() throws {
    let cases = try #require(try Fixtures.json(Self.fixture)["reject"]?.array)
    #expect(cases.count == 5)
    for each in cases {
      let token = try ProvisionToken(try #require(each["token"]?.object))
      let isCovered = each["expect"] == "signature invalid"
      #expect(token.isSignedByItsKey != isCovered, "\(each["name"]?.string ?? "")")
    }
  }

  /// Otherwise a used token, spelled differently, would be a new one.
  @Test func aSignatureHasOneSpelling() throws {
    var object = try known()
    let signature = try #require(object["sig"]?.string)
    #expect(signature.hasSuffix("=="))
    for other in [String(signature.dropLast(2)), signature.replacing("+", with: "-").replacing("/", with: "_") + "="] {
      object["sig"] = .string(other)
      #expect(try !ProvisionToken(object).isSignedByItsKey)
    }
  }

  @Test(arguments: ["sponseeId", "sponsorId", "nonce", "timestamp", "sig", "sponsorVerKey"])
  func everyMemberIsRequired(member: String) throws {
    var object = try known()
    object[member] = nil
    #expect(throws: JSONError.missing(key: member)) { try ProvisionToken(object) }
    object[member] = 1
    #expect(throws: JSONError.self) { try ProvisionToken(object) }
  }

  @Test(arguments: Attestation.Algorithm.allCases) func anAttestationTravelsWithTheToken(
    algorithm: Attestation.Algorithm
  ) throws {
    var object = try known()
    object["attestationAlgorithm"] = .string(algorithm.rawValue)
    object["attestationData"] = "e30="
    let token = try ProvisionToken(object)
    #expect(token.attestation?.algorithm == algorithm)
    #expect(token.json == .object(object))
  }

  @Test(
    arguments: [
      (["attestationAlgorithm": "SafetyNet"], .missing(key: "attestationData")),
      (["attestationData": "e30="], .missing(key: "attestationAlgorithm")),
      (
        ["attestationAlgorithm": "Other", "attestationData": "e30="],
        .wrongType(key: "attestationAlgorithm", expected: "SafetyNet or DeviceCheck")
      ),
    ] as [(JSONObject, JSONError)])
  func anIncompleteAttestationIsRefused(members: JSONObject, error: JSONError) throws {
    var object = try known()
    for (key, value) in members.members { object[key] = value }
    #expect(throws: error) { try ProvisionToken(object) }
  }

  @Test func tokenRequestsHaveTheirTypes() {
    let prefix = "did:sov:123456789abcdefghi1234;spec/"
    #expect(CreateSponsoredAgent.type == prefix + "agent-provisioning/0.7/CREATE_AGENT")
    #expect(GetToken.type == prefix + "token-provisioning/0.1/get-token")
    #expect(CreateKey.type == WireType.of("CREATE_KEY"))
  }

  @Test func aRequestHoldsTokenKeysAndThread() throws {
    let request = CreateSponsoredAgent(
      token: try ProvisionToken(known()), fromDID: "DID", fromVerKey: "key", thread: "thread-1")
    let json = request.json(type: CreateSponsoredAgent.type)
    #expect(json["provisionToken"] == .object(try known()))
    #expect(json["requesterKeys"] == ["fromDID": "DID", "fromVerKey": "key"])
    #expect(json["~thread"] == ["thid": "thread-1", "sender_order": 0, "received_orders": [:]])
    #expect(try CreateSponsoredAgent(json.requireObject()) == request)
  }

  @Test func aTokenThatWasSentCanBeUsed() throws {
    let sent = TokenSent(id: "1", token: try ProvisionToken(known()))
    #expect(sent.members["@id"] == "1")
    #expect(try TokenSent(sent.members) == sent)
    #expect(try ProvisionToken(sent.members) == sent.token)
  }

  @Test func theIDsOfAnswersAreRead() throws {
    let agent = Party(did: "D", verkey: KeyPair().verkey)
    let created = SponsoredAgentCreated(id: "1", agent: agent, thread: "t")
    #expect(try SponsoredAgentCreated(created.members).id == "1")
    let problem = ProvisioningProblem(id: "1", text: "no", thread: "t")
    let read = try ProvisioningProblem(problem.members)
    #expect(read.id == "1" && read.text == "no" && read.thread == "t")
  }
}
