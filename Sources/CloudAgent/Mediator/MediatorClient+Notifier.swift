internal import Aries
internal import Sodium

extension MediatorClient: Notifier {
  /// Tells the mediator the device's push token, by push-notifications-fcm/1.0. Mediators answer only if they refuse.
  package func setComMethod(_ method: ComMethod) throws {
    guard method.kind == .push || method.kind == .sponsorPush else {
      throw CloudAgentError.unable("is a mediator: it notifies by push tokens only")
    }
    guard let protocols = try dialogue.disclosed(DeviceInfo.pattern).protocols, !protocols.isEmpty else {
      throw CloudAgentError.unable("is a mediator without push-notifications-fcm/1.0: it notifies nobody of messages")
    }
    let token = method.value.hasPrefix(Self.scheme) ? String(method.value.dropFirst(Self.scheme.count)) : method.value
    guard token.isEmpty else { return try set(.token(token, platform: Self.platform)) }
    do { try set(.off) } catch CloudAgentError.denied { try set(.offInTexts) }
  }

  /// The prefix of Firebase's tokens in the C API.
  private static let scheme = "FCM:"
  /// Firebase's tokens are for any system; mediators require a name.
  private static let platform = "android"

  private func set(_ content: DeviceInfo.Content) throws {
    for case .message(.other(.problemReport(let report))) in try dialogue.exchange(
      DeviceInfo(id: .randomUUID(), content).json)
    {
      throw CloudAgentError.denied(report.reason)
    }
  }
}
