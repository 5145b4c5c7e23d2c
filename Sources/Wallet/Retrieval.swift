package import JSON

/// What a caller wants to see of a record beside its id.
package struct Retrieval: Equatable, Sendable {
  package var type = false
  package var value = true
  package var tags = true

  package init() {}

  /// Reads the options of a get: an object of booleans. Members that are not known are ignored.
  package init(parsing text: String) throws(WalletError) {
    self.init()
    // What most callers say is not worth a parser.
    if text != "{}" { try self.init(Options(parsing: text)) }
  }

  fileprivate init(_ options: Options) throws(WalletError) {
    type = try options.bool("retrieveType") ?? type
    value = try options.bool("retrieveValue") ?? value
    tags = try options.bool("retrieveTags") ?? tags
  }
}

/// What a caller wants to see of a search.
package struct SearchOptions: Equatable, Sendable {
  package var records = true
  package var totalCount = false
  package var retrieval = Retrieval()

  package init() {}

  /// Reads the options of a search: an object of booleans. Members that are not known are ignored.
  package init(parsing text: String) throws(WalletError) {
    let options = try Options(parsing: text)
    records = try options.bool("retrieveRecords") ?? records
    totalCount = try options.bool("retrieveTotalCount") ?? totalCount
    retrieval = try Retrieval(options)
  }
}

private struct Options {
  let object: JSONObject

  init(parsing text: String) throws(WalletError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformedOptions(reason: error.description) }
    guard let object = json.object else { throw .malformedOptions(reason: "not an object") }
    self.object = object
  }

  func bool(_ name: String) throws(WalletError) -> Bool? {
    guard let json = object[name] else { return nil }
    guard let bool = json.bool else { throw .malformedOptions(reason: "\(name) is not a boolean") }
    return bool
  }
}

/// A record as it was asked for: what was not wanted is nil.
package struct RetrievedRecord: Equatable, Sendable {
  package let type: String?
  package let id: String
  package let value: String?
  package let tags: Tags?

  /// Always these four members.
  package var json: JSON {
    .object(
      JSONObject(distinct: [
        ("type", JSON(type)), ("id", .string(id)), ("value", JSON(value)), ("tags", tags?.json ?? .null),
      ]))
  }
}

/// The next records of a search, and how many it has in all if that was asked for.
package struct Page: Equatable, Sendable {
  package let totalCount: Int?

  /// Empty when there are no more.
  package let records: [RetrievedRecord]

  /// `records` is null rather than empty.
  package var json: JSON {
    [
      "totalCount": totalCount.map { .integer(Int64($0)) } ?? .null,
      "records": records.isEmpty ? .null : .array(records.map(\.json)),
    ]
  }
}
