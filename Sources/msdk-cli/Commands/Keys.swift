internal import JSON
internal import Wallet

// The commands that create a file or a key.

extension WalletSession {
  func export() throws {
    let wallet = try open()
    defer { wallet.close() }
    var source = backupKey
    source.isNew = true
    let path = arguments.operands[0]
    try wallet.export(to: path, key: source.key())
    try show(["file": .string(path)], ["The wallet is in \(quoted(path))."])
  }

  func importFile() throws {
    guard !Wallet.exists(location) else { throw WalletError.alreadyExists }
    let exportKey = try backupKey.key()
    var source = walletKey
    source.isNew = true
    try Wallet.create(
      location, key: source.key(), derivation: arguments.derivation, importing: arguments.operands[0],
      exportKey: exportKey)
    try show(["wallet": .string(location.id)], ["There is a wallet \(quoted(location.id)) now."])
  }

  func rekey() throws {
    let wallet = try open()
    defer { wallet.close() }
    try wallet.rekey(to: newKey.key(), derivation: arguments.newDerivation)
    try show(
      ["derivation": .string(arguments.newDerivation.rawValue)],
      ["The wallet has another key, with \(arguments.newDerivation.rawValue)."])
  }
}
