internal import Files
internal import Platform
internal import SQLite
internal import Sodium
internal import Time

extension Wallet {
  /// Writes all records, including the library's own, to a new file under a key of its own. The file appears complete
  /// or not at all. It has the wallet's records of one moment, and other threads can use the wallet meanwhile.
  package func export(
    to path: String, key: String, derivation: KeyDerivation = .argon2iModerate
  ) throws(WalletError) {
    try export(to: path, key: key, header: ExportHeader(derivation, time: UInt64(max(0, systemClock()))))
  }

  func export(to path: String, key: String, header: ExportHeader) throws(WalletError) {
    let masterKey = try header.derivation.masterKey(of: key, salt: header.salt)
    let draft = Files.draftPath(for: path)
    do {
      if let directory = Files.parent(of: path) { try Files.makeDirectory(directory) }
      guard Files.identity(of: path) == nil else {
        throw WalletError.io(reason: "there is a file of this name already")
      }
      Files.removeAbandonedDrafts(for: path)
      defer { try? Files.remove(draft) }
      try writeExport(to: FileWriter(creating: draft), header, masterKey)
      try Files.publish(draft, as: path)
    } catch let error as FileError {
      throw WalletError(error)
    } catch let error as WalletError {
      throw error
    } catch {
      throw .io(reason: "the export cannot be written")
    }
  }

  private func writeExport(
    to file: FileWriter, _ header: ExportHeader, _ masterKey: SecretBytes
  ) throws(WalletError) {
    var writer = try ExportWriter(file, header, key: masterKey)
    try forEachRecord { record throws(WalletError) in try writer.append(record) }
    try writer.finish()
  }

  /// Makes a new wallet from an export. The wallet has keys of its own, and appears complete or not at all.
  package static func create(
    _ location: WalletLocation, key: String, derivation: KeyDerivation = .argon2iModerate, importing path: String,
    exportKey: String, adding note: ImportNote? = nil
  ) throws(WalletError) {
    guard !exists(location) else { throw .alreadyExists }
    let imported = try ImportedWallet(
      location, key: key, derivation: derivation, importing: path, exportKey: exportKey, adding: note)
    defer { imported.discard() }
    try imported.publish()
  }
}
