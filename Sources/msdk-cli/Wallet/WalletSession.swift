internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Wallet

/// One command on one wallet.
struct WalletSession {
  let arguments: Arguments
  let location: WalletLocation
  let derivation: KeyDerivation
  /// The key in the configuration, or the user's key for it.
  private let configuredKey: String?

  /// The operands after the wallet's name.
  let operands: [String]

  /// The wallet of the configuration that `--config` names, or the wallet that the first operand names.
  init(_ arguments: Arguments) throws {
    if arguments.has(.config) { try self.init(configured: arguments) } else { try self.init(named: arguments) }
  }

  private init(configured arguments: Arguments) throws {
    self.arguments = arguments
    let wallet = try Settings(parsing: Configuration(arguments).text).wallet
    (location, derivation, configuredKey) = (wallet.location, wallet.derivation, wallet.key)
    operands = arguments.operands
  }

  private init(named arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    (derivation, configuredKey) = (arguments.derivation, nil)
    let name = arguments.operands[0]
    operands = Array(arguments.operands.dropFirst())
    do {
      location = try WalletLocation(id: name, home: arguments[.home])
    } catch {
      throw Failure("\(quoted(name)) cannot be the name of a wallet, or there is no home for wallets.")
    }
  }

  static func run(
    _ arguments: Arguments, _ work: (WalletSession) throws -> Program.Ending
  ) throws -> Program.Ending {
    let session = try WalletSession(arguments)
    do { return try work(session) } catch let error as WalletError { throw Failure(session.sentence(for: error)) }
  }

  // MARK: Keys

  var walletKey: KeySource {
    KeySource(purpose: "the key of the wallet", file: arguments[.keyFile], variable: "MSDK_WALLET_KEY")
  }

  var backupKey: KeySource {
    KeySource(purpose: "the key of the exported file", file: arguments[.backupKeyFile], variable: "MSDK_BACKUP_KEY")
  }

  var newKey: KeySource {
    KeySource(
      purpose: "the new key of the wallet", file: arguments[.newKeyFile], variable: "MSDK_WALLET_NEW_KEY", isNew: true)
  }

  func open() throws -> Wallet {
    guard Wallet.exists(location) else { throw WalletError.notFound }  // before the user types a key
    let key = try configuredKey ?? walletKey.key()
    return try Progress.showing("opening the wallet") {
      try Wallet.open(location, key: key, derivation: derivation)
    }
  }

  /// The key for a new wallet.
  func keyOfNewWallet() throws -> String {
    if let configuredKey { return configuredKey }
    var source = walletKey
    source.isNew = true
    return try source.key()
  }

  // MARK: Results

  func show(_ json: JSON, _ lines: @autoclosure () -> [String]) throws(Failure) {
    try arguments.show(json, whole: true, lines())
  }

  func show(_ lines: [String]) throws(Failure) { try arguments.show(lines, whole: true) }

  private func sentence(for error: WalletError) -> String {
    let place = "\(quoted(location.id)) in \(quoted(location.home))"
    switch error {
    case .notFound: return "There is no wallet \(place)."
    case .alreadyExists: return "There is a wallet \(place) already."
    case .accessDenied:
      return "The key does not open the wallet. It may be the wrong key, or --derivation may have to be another than "
        + "\(derivation.rawValue)."
    default: return asSentence(error.description)
    }
  }
}
