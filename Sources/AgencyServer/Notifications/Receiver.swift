internal import AgencyWire
internal import Sodium

/// Somebody who is told of new messages.
enum Receiver: Sendable {
  /// A program of the user's own. The user chose the URL, and must not make the agency call its own neighbours by it.
  case webhook(WebhookURL, String)
  /// A backend of the sponsor. Notifications for it are signed with the secret, if it has one.
  case sponsor(WebhookURL, String, SecretBytes?)
  /// The user's device, which Firebase knows by this token.
  case device(Firebase, token: String)

  /// Scheme, host and port of the server that the agency calls: the same for all receivers behind it.
  var target: String {
    switch self {
    case .webhook(let url, _), .sponsor(let url, _, _): url.target
    case .device(let firebase, _): firebase.target
    }
  }
}

extension Agency.Rules {
  /// The receiver that a com method leads to, for a user of this sponsor. Nil when nobody is to be told (any more).
  func receiver(of method: WireComMethod, sponsorID: String?) -> Receiver? {
    let sponsor = sponsorID.flatMap { admission[sponsor: $0] }
    // A sponsor who is not active takes its users' push messages along.
    let push = sponsorID == nil || sponsor?.isActive == true ? push : nil
    return switch method.kind {
    case .webhook: .webhook(method.value)
    case .sponsor: sponsor?.receiver(at: \.endpoint)
    case .push: .device(method, push) ?? sponsor?.receiver(at: \.endpoint)
    case .sponsorPush:
      .device(method, sponsor?.activePush) ?? sponsor?.receiver(at: \.pushRelay) ?? .device(method, push)
        ?? sponsor?.receiver(at: \.endpoint)
    }
  }
}

extension Receiver {
  fileprivate static func webhook(_ url: String) -> Receiver? {
    guard let parsed = WebhookURL(url), !parsed.namesUser else { return nil }
    return .webhook(parsed, url)
  }

  fileprivate static func device(_ method: WireComMethod, _ firebase: Firebase?) -> Receiver? {
    guard let firebase, let token = method.deviceToken else { return nil }
    return .device(firebase, token: token)
  }
}

extension Sponsor {
  fileprivate var activePush: Firebase? { isActive ? push : nil }

  fileprivate func receiver(at url: KeyPath<Sponsor, String?>) -> Receiver? {
    guard isActive, let url = self[keyPath: url], let parsed = WebhookURL(url) else { return nil }
    return .sponsor(parsed, url, webhookSecret)
  }
}

extension WireComMethod {
  /// The token of a device, which apps register with `FCM:` before it, or without. Nil for an empty one.
  var deviceToken: String? {
    let token = value.hasPrefix(Self.firebasePrefix) ? value.dropFirst(Self.firebasePrefix.count) : value[...]
    return token.isEmpty ? nil : String(token)
  }

  static let firebasePrefix = "FCM:"
}
