internal import Sodium

/// The headers by which a sponsor's backend authenticates a request of the agency: who made it, when, and which one it is
/// (Standard Webhooks, version 1).
struct WebhookSignature {
  let secret: SecretBytes

  /// The header lines for a request with this body. `id` names the same matter in each repetition, and contains no dot.
  /// `time` is the time of this attempt, in seconds since 1970: the receiver refuses requests outside of a window
  /// around its own time, so that a recorded request becomes useless.
  ///
  /// The last line is the older signature, without a time, for receivers that know only that one.
  func headers(id: String, time: Int64, body: [UInt8]) -> [String] {
    let key = HMACKey(secret)
    let signed = Array("\(id).\(time).".utf8) + body
    return [
      "webhook-id: \(id)", "webhook-timestamp: \(time)",
      "webhook-signature: v1,\(Base64.encode(key.authenticate(signed), .standard))",
      "X-Msdk-Signature: sha256=\(key.authenticate(body).hex)",
    ]
  }
}
