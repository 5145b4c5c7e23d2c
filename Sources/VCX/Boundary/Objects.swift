internal import MSDK
internal import Wallet

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection")
let searches = HandleTable<Search>(missing: .invalidWalletHandle, kind: "search")

/// The settings of a start. Refused while the library runs, after the same look at them.
func newSettings(_ text: String) throws -> Settings {
  let settings = try Settings(parsing: text)
  guard !Agent.isRunning else { throw AgentError.alreadyRunning }
  return settings
}

/// A search in the open wallet, as a handle. One that is opened while the library shuts down is not left behind.
func openSearch(type: String, query: String, options: String) throws -> vcx_search_handle_t {
  let wallet = try Agent.openWallet()
  let handle = try searches.insert(wallet.search(type: type, query: query, options: SearchOptions(parsing: options)))
  guard (try? Agent.openWallet()) === wallet else {
    searches.remove(handle)
    throw WalletError.closed
  }
  return vcx_search_handle_t(handle)
}
