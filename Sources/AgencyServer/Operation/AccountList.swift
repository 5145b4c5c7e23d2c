/// The accounts of an agency, also of a running one. It only reads.
package struct AccountList: Sendable {
  private let storage: any Storage

  /// The number of accounts in one read.
  private static let page = 500

  /// Opens the store of an agency with these settings. Creates nothing.
  package init(_ settings: AgencySettings) throws(StorageError) {
    let location = StorageLocation(database: settings.database, dataFolder: settings.dataFolder ?? ".")
    storage = try location.openExisting(isReadOnly: true)
  }

  init(_ storage: any Storage) { self.storage = storage }

  /// Passes the accounts to `show`, some at a time, in the order of their creation. It may miss concurrent changes.
  package func forEachPage(_ show: ([AccountSummary]) -> Void) throws(StorageError) {
    var last: Int64 = 0
    while true {
      let accounts = try storage.accounts(after: last, limit: Self.page)
      guard let end = accounts.last else { return }
      show(accounts)
      last = end.id
    }
  }
}
