package import DIDComm
package import JSON

/// `push-notifications-fcm/1.0/set-device-info` (RFC 0734): the push token under which Firebase reaches the client's
/// device. Mediators do not acknowledge it.
package struct DeviceInfo: Equatable, Sendable {
  package static let type = MessageType("push-notifications-fcm", 1, 0, "set-device-info")
  /// The pattern for a query after the protocol.
  package static let pattern = "https://didcomm.org/push-notifications-fcm/*"

  /// The content of the message.
  package enum Content: Equatable, Sendable {
    case token(String, platform: String)
    /// No more notifications, as the RFC writes it.
    case off
    /// The same for mediators that refuse null.
    case offInTexts
  }

  package let id: String
  package let content: Content

  package init(id: String, _ content: Content) {
    self.id = id
    self.content = content
  }

  package var json: JSON {
    let (token, platform): (JSON, JSON) =
      switch content {
      case .token(let token, let platform): (.string(token), .string(platform))
      case .off: (.null, .null)
      case .offInTexts: ("", "")
      }
    return [
      "@type": .string(Self.type.text), "@id": .string(id), "device_token": token, "device_platform": platform,
    ]
  }
}
