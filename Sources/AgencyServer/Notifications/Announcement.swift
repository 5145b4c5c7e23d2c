internal import AgencyWire
internal import DIDComm
internal import HTTP
internal import JSON
internal import Sodium

/// A notification as the agency sends it. It says that there is a message. The agency cannot read the message, and passes
/// on the sender's claims about it, if there are any.
struct Announcement: Sendable {
  let receiver: Receiver
  let body: [UInt8]

  /// Returns nil if no receiver exists, or no longer exists.
  init?(_ notification: Notification, _ rules: Agency.Rules) {
    guard let receiver = rules.receiver(of: notification.method, sponsorID: notification.sponsorID) else { return nil }
    self.receiver = receiver
    let content =
      switch receiver {
      case .webhook: notification.webhookBody
      case .sponsor: notification.sponsorBody
      case .device(_, let token): notification.pushBody(for: token)
      }
    body = content.bytes
  }

  var target: String { receiver.target }

  /// The header lines of a call of a webhook or a sponsor at `time`, in seconds since 1970.
  func headers(at time: Int64) -> [String] {
    let requestID = "X-Request-ID: \(String.randomUUID())"
    guard case .sponsor(_, _, let secret?) = receiver else { return [requestID] }
    return [requestID] + WebhookSignature(secret: secret).headers(id: id, time: time, body: body)
  }

  /// Identifies the announcement: each attempt has the same id, each receiver of a message another one.
  private var id: String { Array(sha256(body).prefix(16)).hex }
}

extension Notification {
  /// The type as the sender wrote it, and without its prefix.
  private var messageType: JSON { .string(hint.type ?? "aries") }
  private var shortType: JSON { hint.type.flatMap(MessageType.init).map { .string($0.path) } ?? messageType }

  private var details: JSON { ["msgType": shortType, "msgSenderName": .string(hint.sender ?? "")] }

  /// The body for the owner's program, with the members that other agencies of this protocol send.
  fileprivate var webhookBody: JSON {
    [
      "msgUid": .string(uid), "pwDid": .string(pairwiseDID), "msgType": messageType, "msgStatusCode": "MS-103",
      "notificationId": .string(.randomUUID()),
    ]
  }

  /// The body for the sponsor, who finds the device by `sponseeDetails`.
  fileprivate var sponsorBody: JSON {
    [
      "msgId": .string(uid), "msgType": messageType, "sponseeDetails": .string(method.value),
      "relationshipDid": .string(pairwiseDID), "metaData": details,
    ]
  }

  /// The body for Firebase. It wakes the app, which decides what to show. The members of `data` must be texts.
  fileprivate func pushBody(for token: String) -> JSON {
    let data: JSON = [
      "msgId": .string(uid), "msgType": messageType, "relationshipDid": .string(pairwiseDID),
      "metaData": .string(details.text),
    ]
    let apple: JSON = [
      "headers": ["apns-push-type": "background", "apns-priority": "5"],
      "payload": ["aps": ["content-available": 1]],
    ]
    return ["message": ["token": .string(token), "data": data, "android": ["priority": "HIGH"], "apns": apple]]
  }
}
