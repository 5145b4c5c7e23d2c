internal import SQLite

/// The records of the application. Types that begin with `Indy` are refused: they are the library's own.
extension Wallet {
  /// A record with all its parts.
  package func record(type: String, id: String) throws(WalletError) -> Record {
    try refuseReserved(type)
    guard let record = try find(type: type, id: id) else { throw .recordNotFound }
    return record
  }

  /// A record with the wanted parts.
  package func record(type: String, id: String, retrieving: Retrieval) throws(WalletError) -> RetrievedRecord {
    try refuseReserved(type)
    let (sealedType, sealedID) = (cipher.seal(type: type), cipher.seal(id: id))
    let found = try read { reader throws(SQLiteError) in
      try reader.find(type: sealedType, name: sealedID, withTags: retrieving.tags)
    }
    guard let found else { throw .recordNotFound }
    return RetrievedRecord(
      type: retrieving.type ? type : nil, id: id, value: retrieving.value ? try cipher.open(found.value) : nil,
      tags: retrieving.tags ? try cipher.open(found.tags) : nil)
  }

  /// Applies a change. The change is on the disk when this returns; if this throws, nothing has changed.
  package func apply(_ change: RecordChange) throws(WalletError) {
    try change.check()
    try write(change.sealed(by: cipher))
  }

  /// Applies a change without waiting for the disk. Calls `end` once, with the reason why nothing has changed or with
  /// nil.
  package func apply(_ change: RecordChange, then end: @escaping @Sendable (WalletError?) -> Void) throws(WalletError) {
    try change.check()
    writes.write(change.sealed(by: cipher)) { [searches] failure in
      end(failure)
      if failure == nil { searches.noteWrite() }  // last, since it may read the rest of all searches
    }
  }

  func refuseReserved(_ type: String) throws(WalletError) {
    if Record.isReserved(type: type) { throw .reservedType }
  }
}

/// The operations on records of any type, for the library's own use.
extension Wallet {
  func read<Result>(_ body: (Reader) throws(SQLiteError) -> Result) throws(WalletError) -> Result {
    do { return try readers.read(body) } catch { throw WalletError(error) }
  }

  func write(_ body: (Writer) throws(WalletError) -> Void) throws(WalletError) {
    try writes.write(body)
    searches.noteWrite()
  }

  func insert(_ record: Record) throws(WalletError) { try write(RecordChange.add(record).sealed(by: cipher)) }

  /// Inserts all records or none.
  func insert(_ records: [Record]) throws(WalletError) {
    let sealed = records.map { cipher.seal($0) }
    try write { writer throws(WalletError) in
      for record in sealed { try writer.insert(record) }
    }
  }

  /// Returns nil if no such record exists.
  func find(type: String, id: String) throws(WalletError) -> Record? {
    let (sealedType, sealedID) = (cipher.seal(type: type), cipher.seal(id: id))
    let found = try read { reader throws(SQLiteError) in
      try reader.find(type: sealedType, name: sealedID, withTags: true)
    }
    guard let found else { return nil }
    return Record(type: type, id: id, value: try cipher.open(found.value), tags: try cipher.open(found.tags))
  }

  /// The records of one id among these types, in the order of the types and in their state at one moment; nil for each
  /// record that does not exist.
  func find(types: [String], id: String) throws(WalletError) -> [Record?] {
    let (sealedTypes, sealedID) = (types.map { cipher.seal(type: $0) }, cipher.seal(id: id))
    let found = try read { reader throws(SQLiteError) in
      try sealedTypes.map { type throws(SQLiteError) in
        try reader.find(type: type, name: sealedID, withTags: true)
      }
    }
    var records: [Record?] = []
    for (type, found) in zip(types, found) {
      guard let found else {
        records.append(nil)
        continue
      }
      records.append(
        Record(type: type, id: id, value: try cipher.open(found.value), tags: try cipher.open(found.tags)))
    }
    return records
  }

  /// Passes every record of the wallet to `body`, in its state at one moment. Only a few are in memory at a time.
  func forEachRecord(_ body: (Record) throws(WalletError) -> Void) throws(WalletError) {
    try readers.lend { lent throws(WalletError) in
      defer { readers.giveBack(lent) }
      try lent.reader.forEachBatch { batch throws(WalletError) in
        for (type, item) in batch { try body(open(item, type: type)) }
      }
    }
  }

  private func open(_ item: FoundItem, type: [UInt8]) throws(WalletError) -> Record {
    guard let value = item.value else { throw .undecipherable }
    return Record(
      type: try cipher.open(type: type), id: try cipher.open(name: item.name), value: try cipher.open(value),
      tags: try cipher.open(item.tags))
  }
}
