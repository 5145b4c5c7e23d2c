internal import Aries
internal import JSON
internal import Sodium

/// The form of an offer in version 3.0 of the API and earlier versions.
enum OlderOffer {
  private static let type = "https://didcomm.org/issue-credential/1.0/"

  /// Writes an offer in the older form.
  static func json(of message: JSON) throws -> JSON {
    let offer = try CredentialOffer(message)
    let attributes = (offer.preview ?? []).map { ($0.name, JSON.string($0.raw)) }
    return [
      "msg_type": "credential-offer", "version": "0.1", "to_did": "", "from_did": "",
      "credential_attrs": .object(JSONObject(attributes)), "schema_seq_no": 0, "claim_name": .string(offer.name),
      "claim_id": "", "msg_ref_id": nil, "cred_def_id": .string(offer.definitionID),
      "libindy_offer": .string(offer.content.text), "thread_id": .string(offer.message.thread.thid),
    ]
  }

  /// The message behind an offer in the older form.
  static func message(_ offer: JSONObject) throws(JSONError) -> JSON {
    let attributes = try offer.object("credential_attrs").members.map { name, value -> JSON in
      // Some versions wrote each value as an array with one element.
      ["name": .string(name), "value": value.array?.first ?? value]
    }
    let content = Base64.encode(Array(try offer.string("libindy_offer").utf8), .standard)
    return [
      "@type": .string("\(type)offer-credential"), "@id": .string(try id(of: offer)),
      "comment": JSON(try offer.optionalString("claim_name")),
      "credential_preview": ["@type": .string("\(type)credential-preview"), "attributes": .array(attributes)],
      "offers~attach": [
        ["@id": "libindy-cred-offer-0", "mime-type": "application/json", "data": ["base64": .string(content)]]
      ],
    ]
  }

  /// The thread of an offer. Early versions named no thread: a hash of the offer takes its place, so that the same
  /// offer always has the same thread.
  private static func id(of offer: JSONObject) throws(JSONError) -> String {
    try offer.optionalString("thread_id") ?? .uuid(derivedFrom: JSON.object(offer).text)
  }
}
