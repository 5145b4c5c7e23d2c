/// The members of a JSON object, in their written order. Names are unique, and are the same if their bytes are.
package struct JSONObject: Sendable {
  package typealias Member = (key: String, value: JSON)

  package private(set) var members: [Member]

  package init() { members = [] }

  /// Of repeated names, the last value counts.
  package init(_ members: some Sequence<(String, JSON)>) {
    self.init()
    var positions: [ExactText: Int] = [:]  // peers may send thousands of members
    for (key, value) in members {
      if let position = positions[ExactText(key)] {
        self.members[position].value = value
      } else {
        positions[ExactText(key)] = self.members.count
        self.members.append((key, value))
      }
    }
  }

  /// The caller guarantees that no name occurs twice.
  package init(distinct members: [Member]) { self.members = members }

  package subscript(key: String) -> JSON? {
    get { members.first { $0.key.isExactly(key) }?.value }
    set {
      let index = members.firstIndex { $0.key.isExactly(key) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((key, value))
      case (nil, nil): break
      }
    }
  }

  package var keys: [String] { members.map(\.key) }
  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }
}

extension JSONObject: Equatable {
  /// Objects are equal when they have equal members, in any order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.count == right.count else { return false }
    let isSameOrder = zip(left.members, right.members).allSatisfy { $0.key.isExactly($1.key) }
    let inOrder = { (object: JSONObject) in
      isSameOrder ? object.members : object.members.sorted { $0.key.precedes($1.key, or: false) }
    }
    return zip(inOrder(left), inOrder(right)).allSatisfy { $0.key.isExactly($1.key) && $0.value == $1.value }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, JSON)...) { self.init(distinct: elements.map { ($0.0, $0.1) }) }
}

// MARK: - Members of a required type

extension JSONObject {
  package func string(_ key: String) throws(JSONError) -> String { try require(key, "a string", \.string) }
  package func integer(_ key: String) throws(JSONError) -> Int64 { try require(key, "an integer", \.integer) }
  package func bool(_ key: String) throws(JSONError) -> Bool { try require(key, "a boolean", \.bool) }
  package func array(_ key: String) throws(JSONError) -> [JSON] { try require(key, "an array", \.array) }
  package func object(_ key: String) throws(JSONError) -> JSONObject { try require(key, "an object", \.object) }

  package func strings(_ key: String) throws(JSONError) -> [String] {
    try require(key, "an array of strings", JSON.strings)
  }

  /// Nil if the member is absent or null; an error if it has another type.
  package func optionalString(_ key: String) throws(JSONError) -> String? { try permit(key, "a string", \.string) }
  package func optionalInteger(_ key: String) throws(JSONError) -> Int64? { try permit(key, "an integer", \.integer) }
  package func optionalBool(_ key: String) throws(JSONError) -> Bool? { try permit(key, "a boolean", \.bool) }
  package func optionalArray(_ key: String) throws(JSONError) -> [JSON]? { try permit(key, "an array", \.array) }
  package func optionalObject(_ key: String) throws(JSONError) -> JSONObject? { try permit(key, "an object", \.object) }

  package func optionalStrings(_ key: String) throws(JSONError) -> [String]? {
    try permit(key, "an array of strings", JSON.strings)
  }

  /// Throws if a member is neither null nor one of `names`.
  package func requireOnly(_ names: Set<String>) throws(JSONError) {
    for (name, value) in members where !names.contains(name) && !value.isNull { throw .unknown(key: name) }
  }

  private func require<Value>(
    _ key: String, _ expected: StaticString, _ read: (JSON) -> Value?
  ) throws(JSONError) -> Value {
    guard let member = self[key] else { throw .missing(key: key) }
    guard let value = read(member) else { throw .wrongType(key: key, expected: "\(expected)") }
    return value
  }

  private func permit<Value>(
    _ key: String, _ expected: StaticString, _ read: (JSON) -> Value?
  ) throws(JSONError) -> Value? {
    guard let member = self[key], !member.isNull else { return nil }
    return try require(key, expected, read)
  }
}

extension JSON {
  /// The elements of an array of strings; nil if one is no string.
  fileprivate static func strings(_ value: JSON) -> [String]? {
    guard let elements = value.array else { return nil }
    let strings = elements.compactMap(\.string)
    return strings.count == elements.count ? strings : nil
  }
}
