internal import JSON
internal import Platform
internal import ProgramArguments
internal import Wallet

extension WalletSession {
  /// Shows the place, the size and the contents of the wallet.
  func info() throws {
    let wallet = try open()
    defer { wallet.close() }
    let counts = try wallet.recordCounts()
    let records = counts.reduce(0) { $0 + $1.count }
    let size = fileSize(location.file) + fileSize(location.file + "-wal")
    let json: JSON = [
      "name": .string(location.id), "file": .string(location.file), "size": .integer(size),
      "derivation": .string(derivation.rawValue), "records": .integer(Int64(records)),
      "types": .integer(Int64(counts.count)),
    ]
    try show(
      json,
      [
        "name        \(printable(location.id))", "file        \(printable(location.file))", "size        \(size) bytes",
        "derivation  \(derivation.rawValue)", "records     \(records)", "types       \(counts.count)",
      ])
  }

  private func fileSize(_ path: String) -> Int64 {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
