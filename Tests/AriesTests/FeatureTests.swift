import Aries
import DIDComm
import JSON
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
    ("*routing*routing*", []),
  ])
  func theQueryDecidesWhatIsDisclosed(query: String, protocols: [String]) {
    #expect(disclosed(query) == protocols)
  }

  @Test(arguments: [nil, "*", "**", "https://didcomm.org/*"]) func allIsDisclosedToWhoAsksForAll(query: String?) {
    #expect(disclosed(query) == SpokenProtocol.own.map(\.id))
  }

  @Test func aQueryAndItsAnswerAreReadAsTheyAreWritten() throws {
    let query = FeatureQuery(id: "q", query: nil, comment: "hi")
    #expect(query.json["query"] == "*" && query.json["comment"] == "hi")
    #expect(try Message(query.json) == .featureQuery(query))
    let answer = FeatureDisclosure(id: "d", to: query)
    #expect(answer.json["~thread"] == ["thid": "q"])
    #expect(try Message(answer.json) == .featureDisclosure(answer))
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
}
