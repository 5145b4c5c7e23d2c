internal import Files
internal import IndyVDR
internal import JSON
internal import Logging

/// The Indy networks that a program names, in its configuration or with `vcx_init_pool`.
package struct LedgerNetworks: Sendable {
  private let networks: [Network]

  private struct Network: Sendable {
    let source: Source
    /// The names of the network in ids of `did:indy`.
    let names: [String]
  }

  /// The source of the genesis transactions.
  private enum Source: Sendable {
    case file(String)
    case transactions(String)
    /// The name of a network whose transactions older libraries contained.
    case alias(String)
  }

  /// Reads the configuration of `vcx_init_pool`: a network, an array of them, or an object that holds the array.
  package init(parsing text: String) throws(SettingsError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformed(error) }
    let expected = SettingsError.invalidValue(
      "pool_config", "a network with its genesis transactions, or an array of them")
    let list = json["indy_pool_networks"]?.array ?? json["pool_networks"]?.array ?? json.array ?? [json]
    networks = try Self.networks(list, expected)
    guard !networks.isEmpty else { throw expected }
  }

  /// Reads the networks of a configuration: none, one, or an array of them.
  init(_ config: SettingsReader) throws(SettingsError) {
    if let list = try config.array("indy_pool_networks", "pool_networks") {
      networks = try Self.networks(list, .invalidValue("indy_pool_networks", "an array of networks"))
    } else {
      var network = JSONObject()
      for name in ["genesis_path", "genesis_transactions", "pool_network_alias", "network"] {
        network[name] = try config.string(name).map(JSON.string)
      }
      networks = Self.network(.object(network)).map { [$0] } ?? []
    }
  }

  private static func networks(_ list: [JSON], _ error: SettingsError) throws(SettingsError) -> [Network] {
    var networks: [Network] = []
    for json in list {
      guard let network = network(json) else { throw error }
      networks.append(network)
    }
    return networks
  }

  private static func network(_ json: JSON) -> Network? {
    let source: Source
    // Older libraries wrote the placeholder where no ledger was named.
    if let path = json["genesis_path"]?.string, path != "<CHANGE_ME>" {
      source = .file(path)
    } else if let text = json["genesis_transactions"]?.string {
      source = .transactions(text)
    } else if let alias = json["pool_network_alias"]?.string {
      source = .alias(alias)
    } else {
      return nil
    }
    let names = json["namespace_list"]?.array?.compactMap(\.string) ?? [json["network"]?.string ?? "sov"]
    return Network(source: source, names: names)
  }

  /// Makes these the networks of the agent, unless it already has networks. Reads the genesis transactions; asks no node
  /// before the first object is needed.
  package func connect(for agent: Agent) throws(SettingsError) { agent.ledgers.connect(try ledgers(library: nil)) }

  /// The networks whose genesis transactions are known. `library` is the path of libindy_vdr.so, or nil for the usual
  /// places.
  func ledgers(library: String?) throws(SettingsError) -> [LedgerConnection] {
    var ledgers: [LedgerConnection] = []
    for network in networks {
      guard let text = try Self.text(of: network.source) else { continue }
      do {
        ledgers.append(LedgerConnection(try Genesis(text), names: network.names, library: library))
      } catch {
        throw .invalidGenesis(reason: "\(error)")
      }
    }
    return ledgers
  }

  private static func text(of source: Source) throws(SettingsError) -> String? {
    switch source {
    case .transactions(let text): return text
    case .alias(let alias):
      Log.warning("the network \(alias) is not connected: its genesis transactions are not known; name a genesis_path")
      return nil
    case .file(let path):
      let bytes: [UInt8]
      do { bytes = try Files.contents(of: path, limit: 1 << 20) } catch {
        throw .invalidGenesis(reason: "\(path) cannot be read: \(error)")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
