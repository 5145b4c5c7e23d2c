internal import AgencyWire
internal import Sodium

/// The receiver of notifications.
enum Receiver: Sendable {
  /// A program of the user. The user chose the URL, so it may lead to private addresses only if the operator permits it.
  case webhook(WebhookURL, String)
  /// A backend of the sponsor. The agency signs its notifications with the secret, if there is one.
  case sponsor(WebhookURL, String, SecretBytes?)
  /// The user's device, which Firebase knows by this token.
  case device(Firebase, token: String)

  /// The scheme, host and port of the server that the agency calls.
  var target: String {
    switch self {
    case .webhook(let url, _), .sponsor(let url, _, _): url.target
    case .device(let firebase, _): firebase.target
    }
  }

  /// The host of that server. Receivers on one host share its calls.
  var host: String {
    switch self {
    case .webhook(let url, _), .sponsor(let url, _, _): url.host
    case .device(let firebase, _): firebase.host
    }
  }
}

extension Agency.Rules {
  /// The receiver of a com method, for a user of this sponsor. Returns nil if no receiver exists, or no longer exists.
  func receiver(of method: WireComMethod, sponsorID: String?) -> Receiver? {
    let sponsor = sponsorID.flatMap { admission[sponsor: $0] }
    // The agency sends no push messages for users of a sponsor that is not active.
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
  /// The push token of the device. Apps register it with or without `FCM:` before it. Nil if it is empty.
  var deviceToken: String? {
    let token = value.hasPrefix(Self.firebasePrefix) ? value.dropFirst(Self.firebasePrefix.count) : value[...]
    return token.isEmpty ? nil : String(token)
  }

  static let firebasePrefix = "FCM:"
}
