@testable import MSDK

extension Settings {
  /// The account at an agency that the configuration names.
  var account: AgencyAccount? {
    guard case .agency(let account)? = cloudAgent else { return nil }
    return account
  }
}
