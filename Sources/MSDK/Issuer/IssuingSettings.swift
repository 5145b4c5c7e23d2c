internal import Aries
internal import JSON

/// The forms of an issuer's messages, from a configuration.
package struct IssuingSettings: Sendable {
  /// The version of issue-credential in offers; nil to decide by the connection. `issue_credential_version`.
  let version: Int?
  /// The messages that tell a holder of a revocation; `revocation_notification`.
  let notification: Notification

  enum Notification: String, Sendable {
    case automatic = "auto"
    case version1 = "1.0"
    case version2 = "2.0"
    case none

    /// The version of the notification for a credential that came by a version of issue-credential; nil to tell the
    /// holder nothing.
    func version(for major: Int) -> Int? {
      switch self {
      case .automatic: major
      case .version1: 1
      case .version2: 2
      case .none: nil
      }
    }
  }

  init(_ config: SettingsReader) throws(SettingsError) {
    switch try config.string("issue_credential_version") ?? "auto" {
    case "auto": version = nil
    case "1.0": version = 1
    case "2.0": version = 2
    default: throw .invalidValue("issue_credential_version", "1.0, 2.0 or auto")
    }
    let name = try config.string("revocation_notification") ?? Notification.automatic.rawValue
    guard let notification = Notification(rawValue: name) else {
      throw .invalidValue("revocation_notification", "1.0, 2.0, auto or none")
    }
    self.notification = notification
  }
}
