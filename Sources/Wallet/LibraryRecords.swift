internal import SQLite

/// The library's own records of one type, whose form another layer defines. The application has no access to types that
/// begin with `Indy`.
package struct LibraryRecords: Sendable {
  private let wallet: Wallet
  private let type: String

  package init(of type: String, in wallet: Wallet) {
    self.wallet = wallet
    self.type = type
  }

  /// The record with this id; nil if there is no such record.
  package func find(_ id: String) throws(WalletError) -> Record? { try wallet.find(type: type, id: id) }

  /// The records of one id among the records of several types, in the order of the types; nil for each that does not exist.
  /// All are of one moment: no other process has changed one of them between two others.
  package static func find(_ id: String, among records: [LibraryRecords], in wallet: Wallet) throws(WalletError)
    -> [Record?]
  { try wallet.find(types: records.map(\.type), id: id) }

  /// The records that satisfy a query, in the order in which they were stored.
  package func search(_ query: String = "{}", retrieving: Retrieval = Retrieval()) throws(WalletError) -> Search {
    var options = SearchOptions()
    options.retrieval = retrieving
    return try wallet.search(anyType: type, query: query, options: options)
  }

  /// The change that adds a record; it fails if a record has this id.
  package func adding(_ id: String, value: String, tags: Tags = [:]) -> LibraryChange {
    LibraryChange(RecordChange.add(Record(type: type, id: id, value: value, tags: tags)), in: wallet)
  }

  /// The change that adds a record, unless a record has this id.
  package func addingUnlessPresent(_ id: String, value: String, tags: Tags = [:]) -> LibraryChange {
    LibraryChange(addingUnlessPresent: Record(type: type, id: id, value: value, tags: tags), in: wallet)
  }

  /// The change that gives a record these tags and no others; it fails if no record has this id.
  package func tagging(_ id: String, _ tags: Tags) -> LibraryChange {
    LibraryChange(RecordChange.replaceTags(with: tags, type: type, id: id), in: wallet)
  }

  /// The change that creates or replaces a record with this value and these tags.
  package func putting(_ id: String, value: String, tags: Tags = [:]) -> LibraryChange {
    LibraryChange(replacing: Record(type: type, id: id, value: value, tags: tags), in: wallet)
  }

  /// A condition for the changes beside it, which changes nothing: the record still has this value, or with nil, there is
  /// still no record of this id. Otherwise none of the changes is made, and `make` throws `recordChanged`. Another process
  /// may have the wallet open too.
  package func expecting(_ id: String, value: String?) -> LibraryChange {
    LibraryChange(expecting: value, of: id, type, in: wallet)
  }

  /// The changes that `changes` makes from the next numbers of the counter with this id: `count` of them from the given
  /// one on, each higher than all numbers before, also the numbers of other processes. A new counter begins behind
  /// `first`.
  package func counting(
    _ id: String, by count: Int, behind first: Int64 = 0, _ changes: @escaping @Sendable (Int64) -> [LibraryChange]
  ) -> LibraryChange {
    LibraryChange(counting: id, of: type, by: Int64(count), behind: first, in: wallet, changes)
  }

  /// The change that deletes a record, if it exists.
  package func removing(_ id: String) -> LibraryChange { LibraryChange(removing: id, of: type, in: wallet) }
}

/// A change to a record of the library, which may be made together with others.
package struct LibraryChange: Sendable {
  fileprivate let make: RecordChange.Sealed

  fileprivate init(_ change: RecordChange, in wallet: Wallet) { make = change.sealed(by: wallet.cipher) }

  fileprivate init(addingUnlessPresent record: Record, in wallet: Wallet) {
    let sealed = wallet.cipher.seal(record)
    make = { writer throws(WalletError) in try writer.insertUnlessPresent(sealed) }
  }

  fileprivate init(replacing record: Record, in wallet: Wallet) {
    let sealed = wallet.cipher.seal(record)
    make = { writer throws(WalletError) in
      try writer.deleteIfPresent(type: sealed.type, name: sealed.name)
      try writer.insert(sealed)
    }
  }

  fileprivate init(expecting value: String?, of id: String, _ type: String, in wallet: Wallet) {
    let cipher = wallet.cipher
    let (type, name) = (cipher.seal(type: type), cipher.seal(id: id))
    make = { writer throws(WalletError) in
      let present = try writer.value(type: type, name: name)
      guard try present.map(cipher.openBytes) == value.map({ Array($0.utf8) }) else { throw .recordChanged }
    }
  }

  /// Counts within the transaction, so that writers of all processes count one after the other.
  fileprivate init(
    counting id: String, of type: String, by count: Int64, behind first: Int64, in wallet: Wallet,
    _ changes: @escaping @Sendable (Int64) -> [LibraryChange]
  ) {
    let cipher = wallet.cipher
    let (sealedType, name) = (cipher.seal(type: type), cipher.seal(id: id))
    make = { writer throws(WalletError) in
      let text = try writer.value(type: sealedType, name: name).map(cipher.openBytes)
      let last = text.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? first
      // The application can change any record.
      let next = (0..<Int64.max - count).contains(last) ? last + 1 : 1
      try writer.deleteIfPresent(type: sealedType, name: name)
      try writer.insert(cipher.seal(Record(type: type, id: id, value: String(next + count - 1), tags: [:])))
      for change in changes(next) { try change.make(writer) }
    }
  }

  fileprivate init(removing id: String, of type: String, in wallet: Wallet) {
    let (type, name) = (wallet.cipher.seal(type: type), wallet.cipher.seal(id: id))
    make = { writer throws(WalletError) in try writer.deleteIfPresent(type: type, name: name) }
  }
}

extension Wallet {
  /// Runs `body` again whenever a record that it expects has changed since it was read, by another object of this process
  /// or by another process. Throws `recordChanged` if that happens time and again.
  package func retrying<Result>(_ body: () throws -> Result) throws -> Result {
    for _ in 0..<Self.mostConflicts {
      do { return try body() } catch WalletError.recordChanged { continue }
    }
    return try body()
  }

  private static let mostConflicts = 100

  /// Makes all changes or none. They are on the disk when this returns.
  package func make(_ changes: [LibraryChange]) throws(WalletError) {
    try write { writer throws(WalletError) in
      for change in changes { try change.make(writer) }
    }
  }
}
