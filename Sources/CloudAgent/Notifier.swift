/// The part of a Cloud Agent that notifies the owner of new messages.
package protocol Notifier: Sendable {
  /// Sets or removes a way to notify the owner.
  func setComMethod(_ method: ComMethod) throws
}

/// A way to notify the owner of new messages.
package struct ComMethod: Equatable, Sendable {
  /// The meaning of `value`, and the receiver of notifications.
  package enum Kind: Sendable {
    /// A push token for the Cloud Agent's own push account.
    case push
    /// The URL of one of the owner's programs.
    case webhook
    /// A text that the sponsor understands; the sponsor is notified.
    case sponsor
    /// A push token for the sponsor's push account.
    case sponsorPush
  }

  /// The owner's name for the method. A second method with the same name replaces the first.
  package let id: String
  package let kind: Kind
  /// An empty value removes the method.
  package let value: String

  package init(id: String, kind: Kind, value: String) {
    self.id = id
    self.kind = kind
    self.value = value
  }
}
