package import JSON

/// The conditions of a list of kept objects, all of which an object satisfies.
package struct KeptQuery: Sendable {
  /// The tags by which the wallet finds the records.
  let tags: JSON
  let limit: Int

  private static let texts = ["type", "source_id", "thread", "pairwise_did", "their_did"]
  private static let names = texts + ["state", "finished", "limit"]

  /// Reads a JSON object; `{}` finds all objects. Refuses unknown members: a query with a mistyped condition would find
  /// too much.
  package init(parsing text: String) throws(JSONError) {
    let object = try JSON(parsing: text).requireObject()
    if let unknown = object.keys.first(where: { !Self.names.contains($0) }) {
      throw .wrongType(key: unknown, expected: "one of \(Self.names.joined(separator: ", "))")
    }
    var tags: JSONObject = [:]
    for name in Self.texts { tags[name] = try object.optionalString(name).map(JSON.string) }
    if let type = tags["type"]?.string, KeptKind(rawValue: type) == nil {
      let kinds = KeptKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw .wrongType(key: "type", expected: "one of \(kinds)")
    }
    tags["state"] = try object.optionalInteger("state").map { .string(String($0)) }
    tags["finished"] = try object.optionalBool("finished").map { .string($0 ? "1" : "0") }
    self.tags = .object(tags)
    let limit = try object.optionalInteger("limit")
    guard limit ?? 1 > 0 else { throw .wrongType(key: "limit", expected: "a positive number") }
    self.limit = limit.map { Int($0) } ?? .max
  }
}
