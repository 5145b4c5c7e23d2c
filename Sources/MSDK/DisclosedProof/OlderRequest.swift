internal import Aries
internal import JSON
internal import Sodium

/// A request in the form that version 3.0 of the API, and earlier versions, hand to applications and take from them.
enum OlderRequest {
  private static let type = "https://didcomm.org/present-proof/1.0/request-presentation"

  /// Whether a request has the older form. A message of the protocol names its type by a text: its content is the
  /// attached request, and no other member replaces the content.
  static func isOlder(_ json: JSON) -> Bool { json["proof_request_data"] != nil && json["@type"]?.string == nil }

  /// Writes a request in the older form.
  static func json(of message: JSON) throws -> JSON {
    let request = try PresentationRequest(message)
    return [
      "@type": ["name": "PROOF_REQUEST", "version": "1.0"], "@topic": ["mid": 0, "tid": 0],
      "proof_request_data": .object(request.request), "msg_ref_id": nil, "from_timestamp": nil, "to_timestamp": nil,
      "thread_id": .string(request.message.thread.thid), "comment": JSON(request.message.comment),
    ]
  }

  /// The message that a request in the older form stands for.
  static func message(_ json: JSON) throws(JSONError) -> JSON {
    let request = try json.requireObject()
    let content = Base64.encode(JSON.object(try request.object("proof_request_data")).bytes, .standard)
    return [
      "@type": .string(type), "@id": .string(try request.string("thread_id")),
      "comment": JSON(try request.optionalString("comment")),
      "request_presentations~attach": [
        [
          "@id": "libindy-request-presentation-0", "mime-type": "application/json",
          "data": ["base64": .string(content)],
        ]
      ],
    ]
  }
}
