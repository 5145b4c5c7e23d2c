import Aries
import DIDComm
import JSON
import Sodium
import Testing

@Suite struct FeatureTests {
  func disclosed(_ query: String?) -> [String] {
    FeatureDisclosure(id: "d", to: FeatureQuery(id: "q", query: query, comment: nil)).protocols.map(\.id)
  }

  @Test(arguments: [
    ("https://didcomm.org/trust_ping/1.0", ["https://didcomm.org/trust_ping/1.0"]),
    ("https://didcomm.org/trust_ping/1.*", ["https://didcomm.org/trust_ping/1.0"]),
    ("*ping*", ["https://didcomm.org/trust_ping/1.0"]),
    (
      "https://didcomm.org/out-of-band/*",
      ["https://didcomm.org/out-of-band/1.0", "https://didcomm.org/out-of-band/1.1"]
    ),
    ("*out*band*.1", ["https://didcomm.org/out-of-band/1.1"]),
    ("did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/routing/1.0", ["did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/routing/1.0"]),
    ("https://didcomm.org/trust_ping", []), ("trust_ping/1.0", []), ("", []), ("https://didcomm.org/tictactoe/*", []),
    ("*routing*routing*", []), ("https://didcomm.org/routing/1.0*0", []), ("*routing/1.0*1.0", []),
    (
      "https://didcomm.org/*n*/2.0",
      ["issue-credential", "present-proof", "revocation_notification"].map { "https://didcomm.org/\($0)/2.0" }
    ),
  ])
  func theQueryDecidesWhatIsDisclosed(query: String, protocols: [String]) {
    #expect(disclosed(query) == protocols)
  }

  @Test(arguments: [nil, "*", "**", "https://didcomm.org/*"]) func allIsDisclosedToWhoAsksForAll(query: String?) {
    #expect(disclosed(query) == SpokenProtocol.own.map(\.id))
  }

  /// Each pattern is compared with each protocol, so a peer could cost seconds of the processor.
  @Test(arguments: [(256, true), (257, false)]) func aLongPatternMatchesNothing(length: Int, matches: Bool) {
    #expect(disclosed(String(repeating: "*", count: length)).isEmpty != matches)
  }

  @Test func ofManyQueriesTheFirstOnesCount() throws {
    let query: JSON = ["feature-type": "protocol", "match": "x"]
    let wanted: JSON = ["feature-type": "protocol", "match": "*ping*"]
    for (before, count) in [(63, 1), (64, 0)] {
      let queries: JSON = [
        "@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "q",
        "queries": .array([JSON](repeating: query, count: before) + [wanted]),
      ]
      guard case .featureQueries(let read) = try Message(queries) else { throw JSONError.missing(key: "queries") }
      #expect(FeatureDisclosures(id: "d", to: read).json["disclosures"]?.array?.count == count)
    }
  }

  @Test func aQueryAndItsAnswerAreReadAsTheyAreWritten() throws {
    let query = FeatureQuery(id: "q", query: nil, comment: "hi")
    #expect(query.json["query"] == "*" && query.json["comment"] == "hi")
    #expect(try Message(query.json) == .featureQuery(query))
    let answer = FeatureDisclosure(id: "d", to: query)
    #expect(answer.json["~thread"] == ["thid": "q"])
    #expect(try Message(answer.json) == .featureDisclosure(answer))
  }

  @Test func aQueryOfVersionTwoWithoutAPatternAsksForAll() throws {
    let json: JSON = [
      "@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "q",
      "queries": [["feature-type": "protocol"]],
    ]
    guard case .featureQueries(let queries) = try Message(json) else {
      Issue.record("no queries")
      return
    }
    let disclosures = FeatureDisclosures(id: "d", to: queries).json["disclosures"]?.array
    #expect(disclosures?.compactMap { $0["id"]?.string } == SpokenProtocol.own.map(\.id))
  }

  @Test func queriesOfVersionTwoAreAnsweredOnce() throws {
    let json: JSON = [
      "@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "q", "~thread": ["thid": "t"],
      "queries": [
        ["feature-type": "protocol", "match": "https://didcomm.org/trust_ping/*"],
        ["feature-type": "goal-code", "match": "*"],
        ["feature-type": "protocol", "match": "*ping/1.0"],
      ],
    ]
    guard case .featureQueries(let queries) = try Message(json) else {
      Issue.record("no queries")
      return
    }
    let expected: JSON = [
      "@type": "https://didcomm.org/discover-features/2.0/disclosures", "@id": "d", "~thread": ["thid": "t"],
      "disclosures": [
        ["feature-type": "protocol", "id": "https://didcomm.org/trust_ping/1.0", "roles": ["sender", "receiver"]]
      ],
    ]
    #expect(FeatureDisclosures(id: "d", to: queries).json == expected)
  }

  @Test(
    arguments: [
      ["@type": "https://didcomm.org/discover-features/1.0/query", "query": "*"],
      ["@type": "https://didcomm.org/discover-features/1.0/query", "@id": "1", "query": 1],
      ["@type": "https://didcomm.org/discover-features/1.0/disclose", "@id": "1"],
      ["@type": "https://didcomm.org/discover-features/1.0/disclose", "@id": "1", "protocols": [["roles": []]]],
      ["@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "1", "queries": [[:]]],
    ] as [JSON])
  func malformedMessagesAreRefused(json: JSON) {
    #expect(throws: MessageError.self) { try Message(json) }
  }

  // MARK: on a connection

  static func messages() throws -> [Message] {
    let query = FeatureQuery(id: "q", query: "*ping*", comment: nil)
    let queries: JSON = [
      "@type": "https://didcomm.org/discover-features/2.0/queries", "@id": "q",
      "queries": [["feature-type": "protocol", "match": "*ping*"]],
    ]
    return [.featureQuery(query), try Message(queries), .featureDisclosure(FeatureDisclosure(id: "d", to: query))]
  }

  /// Established, or established by the message: the first that shows that the invitee has the inviter's response.
  static func isReady(_ state: String) -> Bool {
    ["connected", "exchanged", "responded", "connectionless"].contains { state.hasPrefix($0) }
  }

  @Test(arguments: ConnectionMachineTests.table.map(\.state)) func onlyAnEstablishedConnectionTalksOfFeatures(
    state: String
  ) throws {
    for message in try Self.messages() {
      let scene = try ConnectionMachineTests.Scene(state)
      var next = scene.machine
      let action = try next.receive(message, from: scene.peer.sender, reply: scene.me.reply())
      #expect((action != .leave) == Self.isReady(state), "\(message)")
      if action == .leave { #expect(next == scene.machine) }
    }
  }

  @Test(arguments: ["connected invitee", "exchanged inviter", "connectionless"]) func strangersAreToldNothing(
    state: String
  ) throws {
    for message in try Self.messages() {
      let scene = try ConnectionMachineTests.Scene(state)
      var next = scene.machine
      for stranger in [nil, KeyPair().verkey] {
        #expect(throws: ProtocolError.notFromPeer) {
          try next.receive(message, from: .envelope(stranger), reply: scene.me.reply())
        }
      }
      #expect(next == scene.machine)
    }
  }

  @Test func disclosedFeaturesAreRemembered() throws {
    let scene = try ConnectionMachineTests.Scene("connected invitee")
    var next = scene.machine
    let disclosure = try Self.messages()[2]
    #expect(try next.receive(disclosure, from: scene.peer.sender, reply: scene.me.reply()) == .nothing)
    guard case .completed(let machine) = next else {
      Issue.record("not established")
      return
    }
    #expect(
      machine.protocols.value == [["pid": "https://didcomm.org/trust_ping/1.0", "roles": ["sender", "receiver"]]])
  }

  @Test func aProtocolWithoutRolesNamesNone() throws {
    let plain = SpokenProtocol(id: "x", roles: [])
    #expect(plain.json == ["pid": "x"])
    #expect(try SpokenProtocol(plain.json) == plain)
  }

  /// Peers choose what they send by this list.
  @Test func theSpokenProtocolsAreNamed() {
    let names = """
      connections/1.0 inviter invitee
      didexchange/1.0 requester responder
      didexchange/1.1 requester responder
      out-of-band/1.0 sender receiver
      out-of-band/1.1 sender receiver
      routing/1.0 sender
      notification/1.0
      report-problem/1.0 notifier notified
      trust_ping/1.0 sender receiver
      discover-features/1.0 requester responder
      discover-features/2.0 responder
      basicmessage/1.0 sender receiver
      questionanswer/1.0 responder
      committedanswer/1.0 responder
      invite-action/0.9 inviter
      issue-credential/1.0 holder issuer
      issue-credential/2.0 holder issuer
      present-proof/1.0 prover verifier
      present-proof/2.0 prover verifier
      revocation_notification/1.0 holder issuer
      revocation_notification/2.0 holder issuer
      """
    let own = SpokenProtocol.own.map { known in
      ([String(known.id.dropFirst("https://didcomm.org/".count))] + known.roles).joined(separator: " ")
    }
    #expect(own == names.split(separator: "\n").map(String.init))
    #expect(SpokenProtocol.own.allSatisfy { $0.id.hasPrefix("https://didcomm.org/") })
  }

  @Test func aProtocolHasItsRolesUnderBothPrefixes() throws {
    let query = FeatureQuery(id: "q", query: "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/trust_ping/*", comment: nil)
    #expect(
      FeatureDisclosure(id: "d", to: query).protocols == [
        SpokenProtocol(id: "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/trust_ping/1.0", roles: ["sender", "receiver"])
      ])
  }
}
