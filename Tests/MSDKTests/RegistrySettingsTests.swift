import Foundation
import JSON
import Registry
import TestSupport
import Testing
import WebVH

@testable import MSDK

/// Where credentials' public objects come from, in a configuration.
@Suite struct RegistrySettingsTests {
  private func settings(_ members: JSON) throws -> Settings {
    var config: JSON = ["wallet_key": "key"]
    for (name, value) in members.object?.members ?? [] { config[name] = value }
    return try Settings(parsing: config.text)
  }

  private func registries(_ members: JSON) throws -> [any Registry] {
    try settings(members).registries.registries(with: WebResolver(reach: .anywhere, seen: NothingSeen()))
  }

  private struct NothingSeen: SeenVersions {
    func latest(of scid: String) -> String? { nil }
    func keep(_ version: String, of scid: String, insteadOf former: String?, at time: Int64) -> Bool { true }
  }

  @Test func registriesAreFoldersAndServers() throws {
    let list: JSON = [
      ["type": "file", "path": "/r"], ["type": "http", "url": "https://example.com", "match": "^did:"],
      ["type": "webvh"],
    ]
    #expect(try registries(["anoncreds_registries": list]).count == 3)
    #expect(try registries(["anoncreds_registries": .string(list.text)]).count == 3)
    #expect(try registries([:]).isEmpty)
  }

  @Test func aRegistryIsAskedForTheIDsThatItMatches() throws {
    let list: JSON = [["type": "http", "url": "https://example.com", "match": "^did:web:"]]
    let registry = try #require(try registries(["anoncreds_registries": list]).first)
    #expect(registry.supports("did:web:example.com/schema") && !registry.supports("V4SGRU86Z58d6TV7PBUe6f:2:a:1"))
  }

  @Test func theFirstRegistryForWritingTakesWhatIsPublished() throws {
    let server: JSON = ["type": "http", "url": "https://a.example", "write": true, "bearer_token": "secret-token"]
    let list: JSON = [["type": "file", "path": "/r"], server, ["type": "file", "path": "/s", "write": true]]
    #expect(try publishers(list).first is HTTPRegistry)
    #expect(try publishers([["type": "file", "path": "/r"]]).isEmpty)
    var malformed = server
    malformed["bearer_token"] = "secret token"
    let error = #expect(throws: SettingsError.self) { try settings(["anoncreds_registries": [malformed]]) }
    #expect(error?.description.contains("secret") == false)
  }

  private func publishers(_ list: JSON) throws -> [any Publisher] {
    let resolver = WebResolver(reach: .anywhere, seen: NoVersions())
    return try settings(["anoncreds_registries": list]).registries.publishers(keys: MemoryKeys(), with: resolver)
  }

  /// An issuer that moves from a ledger to did:webvh still revokes on the ledger.
  @Test func objectsOfWebVHHaveAPlaceOfTheirOwn() throws {
    let list: JSON = [["type": "webvh", "path": "/w", "write": true], ["type": "file", "path": "/r", "write": true]]
    let publishers = try publishers(list)
    let id = "did:webvh:QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6:example.com/resources/zQmX"
    #expect(publishers.first { $0.takes(id) } is WebVHPublisher)
    #expect(publishers.first { $0.takes("V4SGRU86Z58d6TV7PBUe6f:2:a:1") } is FileRegistry)
  }

  @Test(
    arguments: [
      "x", ["x"], [["type": "file"]], [["type": "ftp", "path": "/"]], [["type": "http", "url": "http://example.com"]],
      [["type": "http", "url": "https://example.com", "match": "("]], [["type": "file", "path": "/", "write": "yes"]],
      [["type": "http", "url": "https://example.com", "bearer_token": 7]], [["type": "webvh", "match": "("]],
      [["type": "webvh", "write": true]],
      [["type": "webvh", "path": "/w", "url": "https://example.com", "write": true]],
      [["type": "webvh", "url": "http://example.com", "write": true]],
    ] as [JSON])
  func otherRegistriesAreRefused(list: JSON) {
    #expect(throws: SettingsError.self) { try settings(["anoncreds_registries": list]) }
  }

  @Test func aTailsServerHasAnHTTPURL() throws {
    #expect(try settings(["tails_server_url": "http://tails.example/"]).registries.tailsServer != nil)
    #expect(try settings([:]).registries.tailsServer == nil)
    #expect(throws: SettingsError.self) { try settings(["tails_server_url": "tails.example"]) }
  }

  @Test func networksHaveGenesisTransactions() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/genesis"
    let node: JSON = [
      "txn": ["data": ["dest": "x", "data": ["alias": "a", "client_ip": "127.0.0.1", "client_port": 1]]]
    ]
    try Data(node.bytes).write(to: URL(filePath: path))
    let one = try settings(["genesis_path": .string(path), "network": "test"])
    #expect(try one.networks.ledgers(library: nil).map(\.names) == [["test"]])
    let several = try settings([
      "indy_pool_networks": [
        ["genesis_transactions": .string(node.text)], ["genesis_path": .string(path), "namespace_list": ["a", "b"]],
        ["pool_network_alias": "demo"],
      ]
    ])
    #expect(try several.networks.ledgers(library: nil).map(\.names) == [["sov"], ["a", "b"]])
    #expect(try settings([:]).networks.ledgers(library: nil).isEmpty)
    #expect(try settings(["genesis_path": "<CHANGE_ME>"]).networks.ledgers(library: nil).isEmpty)
  }

  @Test(arguments: [
    #"{"indy_pool_networks":[NETWORK]}"#, #"{"pool_networks":[NETWORK]}"#, "[NETWORK]", "NETWORK",
  ])
  func aPoolConfigHasFourForms(form: String) throws {
    let node = #"{"txn":{"data":{"dest":"x","data":{"alias":"a","client_ip":"127.0.0.1","client_port":1}}}}"#
    let network: JSON = ["genesis_transactions": .string(node), "namespace_list": ["a", "b"]]
    let networks = try LedgerNetworks(parsing: form.replacing("NETWORK", with: network.text))
    #expect(try networks.ledgers(library: nil).map(\.names) == [["a", "b"]])
  }

  @Test(arguments: ["[]", "{}", "[1]", #"[{"network":"a"}]"#, #"{"pool_networks":[]}"#, "1"])
  func aPoolConfigWithoutANetworkIsRefused(text: String) {
    let expected = "a network with its genesis transactions, or an array of them"
    #expect(throws: SettingsError.invalidValue("pool_config", expected)) { try LedgerNetworks(parsing: text) }
  }

  @Test func transactionsThatCannotBeReadAreTold() throws {
    let networks = try settings(["genesis_path": "/none"]).networks
    let error = #expect(throws: SettingsError.self) { try networks.ledgers(library: nil) }
    guard case .invalidGenesis(let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("/none"))
  }
}
