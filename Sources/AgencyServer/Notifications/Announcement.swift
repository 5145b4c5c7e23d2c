internal import AgencyWire
internal import DIDComm
internal import HTTP
internal import JSON
internal import Sodium

/// A notification as it goes over the wire. It tells that there is a message, never what is in it: the agency does not
/// know. The sender's word about it is handed on where the sender gives it.
struct Announcement: Sendable {
  let url: String

  /// Scheme, host and port of the URL: the same for all that is posted there.
  let target: String
  let body: [UInt8]
  let headers: [String]

  /// Whether the URL comes from a user, who must not make the agency call its own neighbours.
  let isForeign: Bool

  /// Nil when nobody is to be told (any more).
  init?(_ notification: Notification, _ admission: Admission) {
    let requestID = "X-Request-ID: \(String.randomUUID())"
    switch notification.method.kind {
    case .webhook:
      url = notification.method.value
      guard let parsed = WebhookURL(url), !parsed.namesUser else { return nil }
      target = parsed.target
      body = notification.webhookBody.bytes
      headers = [requestID]
      isForeign = true
    case .push, .sponsor, .sponsorPush:
      guard let sponsor = notification.sponsorID.flatMap({ admission[sponsor: $0] }),
        let endpoint = sponsor.address(for: notification.method.kind), let parsed = WebhookURL(endpoint)
      else { return nil }
      url = endpoint
      target = parsed.target
      let body = notification.sponsorBody.bytes
      self.body = body
      headers = [requestID] + (sponsor.webhookSecret.map { [Self.signature(of: body, $0)] } ?? [])
      isForeign = false
    }
  }

  static func signature(of body: [UInt8], _ secret: SecretBytes) -> String {
    "X-Msdk-Signature: sha256=" + HMACKey(secret).authenticate(body).hex
  }
}

extension Sponsor {
  /// Where notifications by a method of the kind are posted; nil where the sponsor wants none.
  func address(for kind: WireComMethod.Kind) -> String? {
    guard isActive else { return nil }
    return kind == .sponsorPush ? pushRelay ?? endpoint : endpoint
  }
}

extension Notification {
  /// The type as the sender wrote it, and without its prefix.
  private var messageType: JSON { .string(hint.type ?? "aries") }
  private var shortType: JSON { hint.type.flatMap(MessageType.init).map { .string($0.path) } ?? messageType }

  /// For the owner's program: the members that agencies of this kind send, together.
  fileprivate var webhookBody: JSON {
    [
      "msgUid": .string(uid), "pwDid": .string(pairwiseDID), "msgType": messageType, "msgStatusCode": "MS-103",
      "notificationId": .string(.randomUUID()),
    ]
  }

  /// For the sponsor, who finds the device by `sponseeDetails`.
  fileprivate var sponsorBody: JSON {
    [
      "msgId": .string(uid), "msgType": messageType, "sponseeDetails": .string(method.value),
      "relationshipDid": .string(pairwiseDID),
      "metaData": ["msgType": shortType, "msgSenderName": .string(hint.sender ?? "")],
    ]
  }
}
