import JSON
import Sodium

@testable import Aries
@testable import DIDComm

extension FuzzTarget {
  /// Signatures of strangers, and contents of theirs behind good signatures.
  static let signatures = FuzzTarget("signatures") { input in
    guard let json = try? JSON(parsing: input) else { return }
    let own = try Material.own.get()
    _ = try? DetachedJWS.signer(of: [1, 2, 3], json)
    if let signature = try? SignatureDecorator(verifying: json) { _ = try? signature.value() }
    if let presented = try? PresentedDID(json.object ?? [:]) {
      _ = try? presented.requester(resolved: nil)
      try? presented.proveResponder(signsWith: own.verkey, from: .envelope(own.verkey), resolved: nil)
      _ = try? presented.responder(resolved: nil)
    }
    let attachment = SignedAttachment(id: "x", mimeType: "x", content: input, signedWith: own)
    let object: JSONObject = ["did": json["id"] ?? "x", "did_doc~attach": attachment.json]
    if let presented = try? PresentedDID(object) {
      _ = try? presented.requester(resolved: nil)
      _ = try? presented.responder(resolved: nil)
    }
    let signed = SignatureDecorator(signing: json, with: own, time: 1)
    let verified = try SignatureDecorator(verifying: signed.received)
    _ = try? verified.value()
  }
}
