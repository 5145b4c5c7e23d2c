/// The accounts of an agency, which may be running: read, never changed.
package struct AccountList: Sendable {
  private let storage: any Storage

  /// Accounts that are read at a time.
  private static let page = 500

  /// Reads where an agency with these settings keeps its accounts. Nothing is made that is not there.
  package init(_ settings: Settings) throws(StorageError) {
    let location = StorageLocation(database: settings.database, dataFolder: settings.dataFolder ?? ".")
    storage = try location.openForReading()
  }

  init(_ storage: any Storage) { self.storage = storage }

  /// Hands the accounts to `show`, some at a time, in the order in which they were made. What changes meanwhile is seen
  /// or not.
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
