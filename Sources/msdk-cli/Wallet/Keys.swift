internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Wallet

// The commands that create a file or a key.

extension WalletSession {
  func export() throws {
    let wallet = try open()
    defer { wallet.close() }
    var source = backupKey
    source.isNew = true
    let path = operands[0]
    let key = try source.key()
    try Progress.showing("exporting") { try wallet.export(to: path, key: key) }
    try show(["file": .string(path)], ["The wallet is in \(quoted(path))."])
  }

  func importFile() throws {
    guard !Wallet.exists(location) else { throw WalletError.alreadyExists }
    let exportKey = try backupKey.key()
    let key = try keyOfNewWallet()
    try Progress.showing("importing") {
      try Wallet.create(
        location, key: key, derivation: derivation, importing: operands[0], exportKey: exportKey,
        adding: RestoreNote.forImport())
    }
    try show(["wallet": .string(location.id)], ["There is a wallet \(quoted(location.id)) now."])
  }

  func rekey() throws {
    let wallet = try open()
    defer { wallet.close() }
    let key = try newKey.key()
    try Progress.showing("changing the key") { try wallet.rekey(to: key, derivation: arguments.newDerivation) }
    try show(
      ["derivation": .string(arguments.newDerivation.rawValue)],
      ["The wallet has another key, with \(arguments.newDerivation.rawValue)."])
  }
}
