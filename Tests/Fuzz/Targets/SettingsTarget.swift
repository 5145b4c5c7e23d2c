import CloudAgent
@testable import MSDK

extension FuzzTarget {
  /// The configurations of applications and operators.
  static let settings = FuzzTarget("settings") { input in
    let text = String(decoding: input, as: UTF8.self)
    _ = try? MSDK.Settings(parsing: text)
    _ = try? WalletImport(parsing: text)
    _ = try? ConnectionOptions(parsing: text)
    _ = try? SponsorToken(parsing: text)
    readAgencySettings(input)
  }
}
