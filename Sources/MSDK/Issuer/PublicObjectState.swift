internal import Aries
internal import JSON

/// The common part of serialized schemas and definitions: `{"version": "1.0", "data": {…, "state": …}}`.
enum PublicObjectState: Sendable {
  /// The text with these data, and the id under which the wallet keeps the object, if it does.
  static func text(with data: JSON, keptAs objectID: String?) -> String {
    var text: JSONObject = ["version": "1.0", "data": data]
    text[objectIDName] = objectID.map(JSON.string)
    return JSON.object(text).text
  }

  /// The data of a text.
  static func data(of text: String) throws -> JSONObject { try parts(of: text).data }

  /// The data of a text, and the id under which the wallet keeps the object, if the text names one.
  static func parts(of text: String) throws -> (data: JSONObject, objectID: String?) {
    let object = try JSON(parsing: text).requireObject()
    let version = try object.string("version")
    guard version == "1.0" else { throw StateError.unsupportedVersion(version) }
    return (try object.object("data"), try object.optionalString(objectIDName))
  }

  /// Older libraries wrote no state for published objects.
  static func isPublished(_ data: JSONObject) throws(JSONError) -> Bool {
    let state = try data.optionalInteger("state") ?? 1
    guard (0...1).contains(state) else { throw .wrongType(key: "state", expected: "0 or 1") }
    return state == 1
  }
}
