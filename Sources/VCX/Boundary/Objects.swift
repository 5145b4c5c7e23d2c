internal import MSDK
internal import Wallet

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection")
let searches = HandleTable<Search>(missing: .invalidWalletHandle, kind: "search")

/// The session that runs when a function is called. An operation that waits for its turn beyond a shutdown does not begin
/// in the next session. The operation fails if no session runs.
func runningSession() -> Input<Session> { Input(needed: Session.running) }

/// The session that runs when a function is called. Nil if none runs.
func sessionIfRunning() -> Input<Session?> { Input { () throws(VCXError) in try? Session.running() } }

extension Session? {
  /// The session, for an operation that has something to do before it needs one.
  func required() throws(SessionError) -> Session {
    guard let self else { throw .notRunning }
    return self
  }
}

/// The wallet that is open when a function is called. The operation fails if none is open.
func openWallet() -> Input<Wallet> { Input(needed: Session.openWallet) }

/// The settings of a start. Refused while the library runs, after the same look at them.
func newSettings(parsing text: String) throws -> Settings { try whileStopped(Settings(parsing: text)) }

/// The settings of a start from a file.
func newSettings(at path: String) throws -> Settings { try whileStopped(Settings(at: path)) }

private func whileStopped(_ settings: Settings) throws -> Settings {
  guard !Session.isRunning else { throw SessionError.alreadyRunning }
  return settings
}

/// A search in a wallet, as a handle. One that is opened while the library shuts down is not left behind.
func openSearch(
  in wallet: Wallet, type: String, query: String, options: String
) throws -> vcx_search_handle_t {
  let handle = try searches.insert(wallet.search(type: type, query: query, options: SearchOptions(parsing: options)))
  guard (try? Session.openWallet()) === wallet else {
    searches.remove(handle)
    throw WalletError.closed
  }
  return vcx_search_handle_t(handle)
}
