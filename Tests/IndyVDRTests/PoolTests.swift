import IndyVDR
import JSON
import TestSupport
import Testing

@Suite struct PoolTests {
  static let node: JSON = [
    "reqSignature": [:],
    "txn": [
      "data": [
        "data": [
          "alias": "Node1",
          "blskey":
            "4N8aUNHSgjQVgkpm8nhNEfDf6txHznoYREg9kirmJrkivgL4oSEimFF6nsQ6M41QvhM2Z33nves5vfSn9n1UwNFJBYtWVnHYMATn76vLuL3zU88KyeAYcHfsih3He6UHcXDxcaecHVz6jhCYz1P2UZn2bDVruL5wXpehgBfBaLKm3Ba",
          "client_ip": "127.0.0.1", "client_port": 9, "node_ip": "127.0.0.1", "node_port": 10,
          "services": ["VALIDATOR"],
        ],
        "dest": "Gw6pDLhcBcoQesN72qfotTgFa7cbuqZpkX3Xo6pLhPhv",
      ],
      "metadata": ["from": "Th7MpTaRZVRYnPiabds81Y"], "type": "0",
    ],
    "txnMetadata": ["seqNo": 1, "txnId": "0000000000000000000000000000000000000000000000000000000000000000"],
    "ver": "1",
  ]

  @Test func transactionsOfNodesAreTaken() throws {
    #expect(try Genesis("\n" + Self.node.text + "\r\n\n" + Self.node.text).text.split(separator: "\n").count == 2)
    #expect(try Genesis(" \t\n\(Self.node.text)\n  \n").text == Self.node.text)
  }

  @Test(arguments: ["", " \n", "{", "[]", "{}", #"{"txn":{"data":{"dest":"x","data":{"alias":"a","client_ip":"b"}}}}"#])
  func otherTextsAreRefused(text: String) {
    #expect(throws: LedgerError.self) { try Genesis(text) }
    #expect(throws: LedgerError.self) { try Genesis(Self.node.text + "\n" + (text.isEmpty ? "null" : text + "null")) }
  }

  /// The library hangs on a line that it cannot read.
  @Test(arguments: ["dest", "data/alias", "data/client_ip", "data/client_port"])
  func aNodeHasAllOfItsMembers(path: String) throws {
    let whole = Self.node.text
    for value: JSON in [nil, [:]] {
      let path = ["txn", "data"] + path.split(separator: "/").map(String.init)
      let node = Self.node.replacing(path[...], with: value).text
      for (text, line) in [(node, 1), (whole + "\n" + node, 2)] {
        let error = #expect(throws: LedgerError.self) { try Genesis(text) }
        #expect(error?.description.contains("line \(line): ") == true)
      }
    }
  }

  @Test(arguments: [(1, true), (65_535, true), (0, false), (65_536, false), (-1, false)] as [(Int64, Bool)])
  func aNodeHasAPort(port: Int64, isPort: Bool) throws {
    let text = Self.node.replacing(["txn", "data", "data", "client_port"], with: .integer(port)).text
    if isPort {
      #expect(try Genesis(text).text == text)
    } else {
      #expect(throws: LedgerError.self) { try Genesis(text) }
    }
  }

  @Test func aLibraryThatIsMissingIsUnavailableForAReason() {
    let error = #expect(throws: LedgerError.self) { try LedgerLibrary.open(at: "/nowhere/libindy_vdr.so") }
    #expect(error?.description.contains("/nowhere/libindy_vdr.so") == true)
  }

  @Test func aNetworkWithoutNodesGivesNoAnswer() throws {
    let library = try LedgerLibrary.open(at: CredentialLibraries.indyVDR)
    let pool = try LedgerPool(Genesis(Self.node.text), library: library)
    let error = #expect(throws: LedgerError.self) { try pool.submit(.nym("V4SGRU86Z58d6TV7PBUe6f")) }
    guard case .unreachable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
