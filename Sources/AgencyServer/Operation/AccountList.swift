/// The accounts of an agency, which may be running: read, never changed.
package struct AccountList: Sendable {
  private let storage: any Storage

  /// Accounts that are read at a time.
  private static let page = 500

  /// Reads where an agency with these settings keeps its accounts. Nothing is made that is not there.
  package init(_ settings: Settings) throws(StorageError) {
    if let database = settings.database {
      storage = try PostgreSQLStorage(reading: database)
    } else {
      storage = try SQLiteStorage(reading: AgencyServer.databasePath(in: settings.dataFolder ?? "."))
    }
  }

  init(_ storage: any Storage) { self.storage = storage }

  /// Hands the accounts to `show`, some at a time, in the order in which they were made. What changes meanwhile is seen
  /// or not.
  package func forEachPage(_ show: ([Account]) -> Void) throws(StorageError) {
    var last: Int64 = 0
    while true {
      let accounts = try storage.accounts(after: last, limit: Self.page)
      guard let end = accounts.last else { return }
      show(accounts)
      last = end.id
    }
  }
}
