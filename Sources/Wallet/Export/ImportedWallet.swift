internal import Files

/// A record for a wallet that is made from an export, in the place of an earlier one. The wallet gets it only if the export has
/// records of the given type.
package struct ImportNote: Sendable {
  let record: Record
  let type: String

  package init(_ record: Record, besides type: String) { (self.record, self.type) = (record, type) }
}

/// A new wallet with the records of an export, complete but without its name. Its file is beside the wallet's future
/// file until one step gives it the name.
package struct ImportedWallet: Sendable {
  private let location: WalletLocation
  private let draft: WalletDraft
  private let keys = WalletKeys()

  /// Reads the export at `path`. The wallet has keys of its own, sealed under `key`.
  package init(
    _ location: WalletLocation, key: String, derivation: KeyDerivation, importing path: String, exportKey: String,
    adding note: ImportNote? = nil
  ) throws(WalletError) {
    self.location = location
    var reader = try Self.reader(path, exportKey)
    let (cipher, metadata) = (RecordCipher(keys), try Metadata(sealing: keys, key: key, derivation: derivation))
    draft = try WalletDraft(location)
    do {
      try draft.fill(metadata) { writer throws(WalletError) in
        var isNoted = false
        while let record = try reader.next() {
          try Self.insert(cipher.seal(record), writer)
          if record.type == note?.type { isNoted = true }
        }
        guard isNoted, let record = note.map({ cipher.seal($0.record) }) else { return }
        try writer.deleteIfPresent(type: record.type, name: record.name)
        try writer.insert(record)
      }
    } catch {
      draft.discard()
      throw error
    }
  }

  /// Gives the wallet its name, and leaves it closed. Throws `alreadyExists` if a wallet has this name.
  package func publish() throws(WalletError) { try draft.publish() }

  /// Opens the published wallet. Its keys are known, so no key needs to be derived.
  package func open() throws(WalletError) -> Wallet { try Wallet.open(location, keys: keys) }

  /// Closes a wallet with this name and takes its place. Returns the open wallet. An interruption leaves the old or the
  /// new wallet. After an error the old wallet is closed and whole.
  package func replace(_ wallet: Wallet) throws(WalletError) -> Wallet {
    wallet.close()
    try draft.replaceWallet()
    return try open()
  }

  /// Removes the file if it does not have its name yet.
  package func discard() { draft.discard() }

  private static func reader(_ path: String, _ key: String) throws(WalletError) -> ExportReader {
    guard !OpenWallets.contains(path) else { throw .malformedExport(reason: "the file is that of an open wallet") }
    let file: FileReader
    do { file = try FileReader(path: path) } catch { throw WalletError(export: error) }
    return try ExportReader(file, key: key)
  }

  private static func insert(_ record: SealedRecord, _ writer: Writer) throws(WalletError) {
    do {
      try writer.insert(record)
    } catch .recordExists {
      throw .malformedExport(reason: "it has a record twice")
    }
  }
}

extension Wallet {
  /// Opens the wallet's file again after `close`.
  package func reopened() throws(WalletError) -> Wallet { try Wallet.open(location, keys: cipher.keys) }

  /// The time of an export by the clock of its device, in seconds since 1970, from its header. Reading the export with
  /// its key proves the time. Returns nil if these are not the first bytes of an export.
  package static func exportTime(_ export: [UInt8]) -> UInt64? {
    guard export.count > 4 else { return nil }
    let length = export.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= export.count - 4 else { return nil }
    return try? ExportHeader(parsing: Array(export[4..<4 + length])).time
  }
}
