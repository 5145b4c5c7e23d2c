internal import JSON
internal import Wallet

/// One command on one wallet.
struct WalletSession {
  let arguments: Arguments
  let location: WalletLocation

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    do {
      location = try WalletLocation(id: arguments.wallet, home: arguments.home)
    } catch {
      throw Failure("\(quoted(arguments.wallet)) cannot be the name of a wallet, or there is no home for wallets.")
    }
  }

  func run() throws -> Program.Ending {
    do {
      switch arguments.command {
      case .info: try info()
      case .list: try list()
      case .get: try get()
      case .search: try search()
      case .export: try export()
      case .import: try importFile()
      case .rekey: try rekey()
      case .verify: return try verify()
      }
      return .done
    } catch let error as WalletError {
      throw Failure(sentence(for: error))
    }
  }

  // MARK: Keys

  var walletKey: KeySource {
    KeySource(purpose: "the key of the wallet", file: arguments.keyFile, variable: "MSDK_WALLET_KEY")
  }

  var backupKey: KeySource {
    KeySource(purpose: "the key of the exported file", file: arguments.backupKeyFile, variable: "MSDK_BACKUP_KEY")
  }

  var newKey: KeySource {
    KeySource(
      purpose: "the new key of the wallet", file: arguments.newKeyFile, variable: "MSDK_WALLET_NEW_KEY", isNew: true)
  }

  func open() throws -> Wallet {
    guard Wallet.exists(location) else { throw WalletError.notFound }  // before the user types a key
    return try Wallet.open(location, key: walletKey.key(), derivation: arguments.derivation)
  }

  // MARK: Results

  /// Shows a result: as JSON if requested, otherwise in lines for people.
  func show(_ json: JSON, _ lines: @autoclosure () -> [String]) throws(Failure) {
    try show(arguments.wantsJSON ? [json.text] : lines())
  }

  func show(_ lines: [String]) throws(Failure) {
    try Terminal.writeResult(lines.map { $0 + "\n" }.joined())
  }

  private func sentence(for error: WalletError) -> String {
    let place = "\(quoted(location.id)) in \(quoted(location.home))"
    switch error {
    case .notFound: return "There is no wallet \(place)."
    case .alreadyExists: return "There is a wallet \(place) already."
    case .accessDenied:
      return "The key does not open the wallet. It may be the wrong key, or --derivation may have to be another than "
        + "\(arguments.derivation.rawValue)."
    default:
      let text = printable(error.description)
      return text.prefix(1).uppercased() + text.dropFirst() + "."
    }
  }
}
