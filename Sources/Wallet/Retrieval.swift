internal import JSON

/// The parts of a record that a caller wants, in addition to its id.
package struct Retrieval: Equatable, Sendable {
  package var type = false
  package var value = true
  package var tags = true

  package init() {}

  /// Reads the options of a get: an object of booleans. Ignores unknown members.
  package init(parsing text: String) throws(WalletError) {
    self.init()
    // The most common options need no parser.
    if text != "{}" { try self.init(Options(parsing: text)) }
  }

  fileprivate init(_ options: Options) throws(WalletError) {
    type = try options.bool("retrieveType") ?? type
    value = try options.bool("retrieveValue") ?? value
    tags = try options.bool("retrieveTags") ?? tags
  }
}

/// The parts of a search that a caller wants.
package struct SearchOptions: Equatable, Sendable {
  package var records = true
  package var totalCount = false
  package var retrieval = Retrieval()

  package init() {}

  /// Reads the options of a search: an object of booleans. Ignores unknown members.
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

/// A record with the requested parts; the others are nil.
package struct RetrievedRecord: Equatable, Sendable {
  package let type: String?
  package let id: String
  package let value: String?
  package let tags: Tags?

  /// A JSON object, always with these four members.
  package var text: String {
    var writer = JSONWriter(expecting: expectedSize)
    write(to: &writer)
    return writer.text
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("type")
      writer.write(type)
      writer.name("id")
      writer.write(id)
      writer.name("value")
      writer.write(value)
      writer.name("tags")
      if let tags { tags.write(to: &writer) } else { writer.writeNull() }
    }
  }

  /// This suffices for most records.
  fileprivate var expectedSize: Int { (value?.utf8.count ?? 0) + 256 }
}

/// The next records of a search, and the number of all records if it was requested.
package struct Page: Equatable, Sendable {
  package let totalCount: Int?

  /// Empty if no more records follow.
  package let records: [RetrievedRecord]

  /// A JSON object; `records` is null rather than empty.
  package var text: String {
    var writer = JSONWriter(expecting: records.reduce(64) { $0 + $1.expectedSize })
    writer.object { writer in
      writer.name("totalCount")
      writer.write(totalCount.map { .integer(Int64($0)) } ?? .null)
      writer.name("records")
      guard !records.isEmpty else { return writer.writeNull() }
      writer.array { writer in for record in records { record.write(to: &writer) } }
    }
    return writer.text
  }
}
