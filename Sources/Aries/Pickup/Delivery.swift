package import JSON
internal import Sodium

/// Envelopes that a mediator has held: `messagepickup/2.0/delivery`, or `1.0/batch`.
package struct Delivery: Equatable, Sendable {
  package struct Item: Equatable, Sendable {
    /// The mediator's name of the envelope, for its acknowledgement.
    package let id: String
    /// Nil if the attachment cannot be read.
    package let envelope: JSON?
  }

  package let items: [Item]

  /// More attachments in one message are refused. The client asks for less.
  private static let maximumCount = 1_000

  /// Reads attachments in any of the encodings that mediators use: json, base64 and base64url.
  init(_ object: JSONObject) throws(JSONError) {
    try self.init(object.optionalArray("~attach") ?? []) { attachment in attachment["data"].flatMap(Self.envelope) }
  }

  /// Reads `messages~attach`, whose entries hold the envelope as an object or as its text.
  init(batch object: JSONObject) throws(JSONError) {
    try self.init(object.optionalArray("messages~attach") ?? []) { entry in
      entry["message"].flatMap(Self.object) ?? entry["data"].flatMap(Self.envelope)
    }
  }

  private init(_ attachments: [JSON], _ read: (JSON) -> JSON?) throws(JSONError) {
    guard attachments.count <= Self.maximumCount else {
      throw .wrongType(key: "~attach", expected: "at most \(Self.maximumCount) attachments")
    }
    items = attachments.map { Item(id: ($0["@id"] ?? $0["id"])?.string ?? "", envelope: read($0)) }
  }

  private static func envelope(_ data: JSON) -> JSON? {
    if let json = data["json"], !json.isNull { return object(json) }
    guard let text = data["base64"]?.string, let bytes = try? Base64.decodeAny(text) else { return nil }
    return (try? JSON(parsing: bytes)).flatMap(object)
  }

  /// An object, or the object in a text.
  private static func object(_ json: JSON) -> JSON? {
    if json.object != nil { return json }
    return json.string.flatMap { try? JSON(parsing: $0) }.flatMap { $0.object == nil ? nil : $0 }
  }
}
