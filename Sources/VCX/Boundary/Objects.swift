internal import MSDK
internal import Wallet

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection")
let searches = HandleTable<Search>(missing: .invalidWalletHandle, kind: "search")

/// The agent that runs when a function is called: what waits for its turn beyond a shutdown does not begin under the next
/// agent. That none runs is an error of the operation, not of the call.
func runningAgent() -> Input<Result<Agent, any Error>> {
  Input { () throws(VCXError) in Result { try Agent.running() } }
}

/// The wallet that is open when a function is called.
func openWallet() -> Input<Result<Wallet, any Error>> {
  Input { () throws(VCXError) in Result { try Agent.openWallet() } }
}

/// The settings of a start. Refused while the library runs, after the same look at them.
func newSettings(parsing text: String) throws -> Settings { try whileStopped(Settings(parsing: text)) }

/// The settings of a start from a file.
func newSettings(at path: String) throws -> Settings { try whileStopped(Settings(at: path)) }

private func whileStopped(_ settings: Settings) throws -> Settings {
  guard !Agent.isRunning else { throw AgentError.alreadyRunning }
  return settings
}

/// A search in a wallet, as a handle. One that is opened while the library shuts down is not left behind.
func openSearch(
  in wallet: Wallet, type: String, query: String, options: String
) throws -> vcx_search_handle_t {
  let handle = try searches.insert(wallet.search(type: type, query: query, options: SearchOptions(parsing: options)))
  guard (try? Agent.openWallet()) === wallet else {
    searches.remove(handle)
    throw WalletError.closed
  }
  return vcx_search_handle_t(handle)
}
