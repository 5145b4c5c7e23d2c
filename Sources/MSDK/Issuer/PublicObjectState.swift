internal import Aries
internal import JSON

/// The common part of serialized schemas and definitions: `{"version": "1.0", "data": {…, "state": …}}`.
enum PublicObjectState: Sendable {
  static func data(of text: String) throws -> JSONObject {
    let object = try JSON(parsing: text).requireObject()
    let version = try object.string("version")
    guard version == "1.0" else { throw StateError.unsupportedVersion(version) }
    return try object.object("data")
  }

  /// Older libraries wrote no state for published objects.
  static func isPublished(_ data: JSONObject) throws(JSONError) -> Bool {
    let state = try data.optionalInteger("state") ?? 1
    guard (0...1).contains(state) else { throw .wrongType(key: "state", expected: "0 or 1") }
    return state == 1
  }
}
