internal import Files
internal import SQLite

extension Wallet {
  /// Whether there is a wallet at a location. This needs no key. If the deletion of a wallet there was interrupted, it
  /// removes the rest.
  package static func exists(_ location: WalletLocation) -> Bool {
    guard Files.isFree(location.file) else { return true }
    location.finishDeletion()
    return false
  }

  /// The number of records of each type, including the library's own, by the names of the types.
  package func recordCounts() throws(WalletError) -> [(type: String, count: Int)] {
    let rows = try read { reader throws(SQLiteError) in try reader.countsByType() }
    var counts: [(type: String, count: Int)] = []
    for row in rows { counts.append((try cipher.open(type: row.type), row.count)) }
    return counts.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
  }
}
