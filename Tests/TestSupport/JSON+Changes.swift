package import JSON

extension JSON {
  /// The object with these members, instead of its own of the same names. Null removes a member.
  package func with(_ members: [String: JSON]) -> JSON {
    var changed = self
    for (key, value) in members { changed[key] = value.isNull ? Optional<JSON>.none : value }
    return changed
  }

  /// The object with another value at the end of a path of members, which are made if they are missing. `[]` after a
  /// name stands for the objects of an array that have the next member.
  package func replacing(_ path: ArraySlice<String>, with value: JSON) -> JSON {
    guard let key = path.first else { return value }
    if key.hasSuffix("[]"), let member = path.dropFirst().first {
      let elements = self[String(key.dropLast(2))]?.array ?? []
      let changed = elements.map { $0[member] == nil ? $0 : $0.replacing(path.dropFirst(), with: value) }
      return replacing([String(key.dropLast(2))], with: .array(changed))
    }
    var object = self.object ?? [:]
    object[key] = (object[key] ?? [:]).replacing(path.dropFirst(), with: value)
    return .object(object)
  }
}
