internal import Files
internal import JSON

extension Settings {
  /// The first argument of `vcx_init` that selects test mode instead of a path.
  private static let testModeName = "ENABLE_TEST_MODE"
  private static let maximumLength = 1 << 20

  /// Reads the configuration of `vcx_init`: from a file, or the one of test mode.
  package init(at path: String) throws(SettingsError) {
    guard path != Self.testModeName else {
      try self.init(parsing: Self.testMode.text, makesWallet: true)
      return
    }
    let bytes: [UInt8]
    do { bytes = try Files.contents(of: path, limit: Self.maximumLength) } catch {
      throw error.isMissing ? .noFile(path: path) : .unreadable(path: path, reason: "\(error)")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .unreadable(path: path, reason: "it is not UTF-8")
    }
    try self.init(parsing: text)
  }

  /// Test mode: fixed settings, and a real wallet of the default name, which is created if it is missing. Nothing is
  /// simulated; calls that need the agency fail.
  private static let testMode: JSON = [
    "wallet_name": .string(WalletSettings.defaultName),
    "wallet_key": "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY",
    "wallet_key_derivation": "RAW",
    "agency_endpoint": "http://127.0.0.1:8080",
    "agency_did": did, "agency_verkey": verkey,
    "sdk_to_remote_did": did, "sdk_to_remote_verkey": verkey,
    "remote_to_sdk_did": did, "remote_to_sdk_verkey": verkey,
    "institution_did": did, "institution_verkey": verkey,
    "institution_name": "default", "institution_logo_url": "http://127.0.0.1:8080",
    "protocol_type": "4.0",
  ]
  private static let did: JSON = "2hoqvcwupRTUNkXn6ArYzs"
  private static let verkey: JSON = "FuN98eH2eZybECWkofW6A9BKJxxnTatBCopfUiNxo6ZB"
}
