internal import Credentials
internal import Indy
internal import MSDK
internal import Wallet

// The objects that programs hold by handle.

let connections = HandleTable<Connection>(missing: .invalidConnectionHandle, kind: "connection", keeper: Keeper())
let credentials = HandleTable<Credential>(missing: .invalidCredentialHandle, kind: "credential", keeper: Keeper())
let proofs = HandleTable<DisclosedProof>(
  missing: .invalidDisclosedProofHandle, kind: "proof", keeper: Keeper())
let requestedProofs = HandleTable<RequestedProof>(
  missing: .invalidProofHandle, kind: "requested proof", keeper: Keeper())
let schemas = HandleTable<Schema>(missing: .invalidSchemaHandle, kind: "schema", keeper: Keeper())
let definitions = HandleTable<CredentialDefinition>(
  missing: .invalidCredentialDefHandle, kind: "credential definition", keeper: Keeper())
let issuerCredentials = HandleTable<IssuerCredential>(
  missing: .invalidIssuerCredentialHandle, kind: "issued credential", keeper: Keeper())
let backups = HandleTable<WalletBackup>(missing: .invalidObjHandle, kind: "wallet backup")
let searches = HandleTable<Search>(missing: .invalidWalletHandle, kind: "search")
let credentialSearches = HandleTable<CredentialSearch>(missing: .invalidWalletHandle, kind: "search for credentials")

/// Makes the handles of an agent's objects unknown, and frees the objects. Called before the wallet closes: open searches would read their
/// remaining records then.
func forgetObjects(of agent: Agent) {
  searches.removeAll(of: agent)
  credentialSearches.removeAll(of: agent)
  connections.removeAll(of: agent)
  credentials.removeAll(of: agent)
  proofs.removeAll(of: agent)
  requestedProofs.removeAll(of: agent)
  schemas.removeAll(of: agent)
  definitions.removeAll(of: agent)
  issuerCredentials.removeAll(of: agent)
  backups.removeAll(of: agent)
}

/// The agent's session that runs when the function is called. If an operation waits until after a shutdown, it does not
/// start in the next session. Fails the operation if no session runs.
func runningSession() -> Input<Session> { Input(needed: { try CurrentAgent.value.running() }) }

/// The agent's session that runs when the function is called, or nil.
func sessionIfRunning() -> Input<Session?> { Input { () throws(VCXError) in try? CurrentAgent.value.running() } }

/// The DID under which the agent issues, in the form that begins its ids: the given DID, or `institution_did` of the
/// running session. The function returns 1004 if there is neither.
func issuerDID(_ given: Input<String?> = plain(nil)) -> Input<String> {
  given.map { given in
    guard let did = given ?? (try? CurrentAgent.value.running())?.settings.institutionDID else {
      throw SettingsError.missing("institution_did")
    }
    return IndyDID(did)?.text ?? did
  }
}

extension Session? {
  /// Returns the session, for operations that need it only after other work.
  func required() throws(SessionError) -> Session {
    guard let self else { throw .notRunning }
    return self
  }
}

/// The agent's wallet that is open when the function is called. Fails the operation if none is open.
func openWallet() -> Input<Wallet> { Input(needed: { try CurrentAgent.value.openWallet() }) }

/// Parses the settings of a start. Throws if the library already runs, after the same checks.
func newSettings(parsing text: String) throws -> Settings { try whileStopped(Settings(parsing: text)) }

/// Reads the settings of a start from a file.
func newSettings(at path: String) throws -> Settings { try whileStopped(Settings(at: path)) }

private func whileStopped(_ settings: Settings) throws -> Settings {
  guard !Agent.standard.isRunning else { throw SessionError.alreadyRunning }
  return settings
}

/// Registers a search in a wallet and returns its handle. Closes it again if the library shuts down meanwhile.
func openSearch(
  in wallet: Wallet, type: String, query: String, options: String
) throws -> vcx_search_handle_t {
  try register(
    wallet.search(type: type, query: query, options: SearchOptions(parsing: options)), in: searches, of: wallet)
}

/// Registers a search for credentials, likewise.
func openCredentialSearch(in wallet: Wallet, query: String) throws -> vcx_search_handle_t {
  try register(
    CredentialStore(wallet: wallet).search(CredentialQuery(parsing: query)), in: credentialSearches, of: wallet)
}

private func register<Found>(
  _ search: sending Found, in table: HandleTable<Found>, of wallet: Wallet
) throws -> vcx_search_handle_t {
  let handle = try table.insert(search)
  guard (try? CurrentAgent.value.openWallet()) === wallet else {
    table.remove(handle)
    throw WalletError.closed
  }
  return vcx_search_handle_t(handle)
}
