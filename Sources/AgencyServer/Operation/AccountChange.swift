/// An operator's change of one account, also beside running agencies, which see it at their next request.
package enum AccountChange: String, CaseIterable, Sendable {
  /// The agency serves neither the owner nor senders. Everything stays stored.
  case lock
  case unlock
  /// Removes the account with everything in it.
  case delete

  /// Changes the account with this DID. Creates no store, and changes only an agency's of this version.
  package func make(to did: String, in settings: AgencySettings) throws(StorageError) {
    let location = StorageLocation(database: settings.database, dataFolder: settings.dataFolder ?? ".")
    let storage = try location.openExisting(isReadOnly: false)
    defer { storage.close() }
    let isKnown =
      switch self {
      case .lock: try storage.setLock(true, ofAccount: did)
      case .unlock: try storage.setLock(false, ofAccount: did)
      case .delete: try storage.deleteAccount(did)
      }
    guard isKnown else { throw .failed("there is no account with this DID") }
  }
}
