package import JSON

/// The tags of a record: names and values. A name that begins with `~` marks a plaintext tag, whose value is stored
/// unencrypted and can be compared; all other values are stored encrypted.
///
/// Names differ if their bytes differ. A Swift dictionary would treat two spellings of `é` as the same name.
package struct Tags: Equatable, Sendable {
  package typealias Tag = (name: String, value: String)

  /// The tags in the order of their names' bytes.
  private var sorted: [Tag] = []

  package init() {}

  /// Of repeated names, the last value counts. The cost per tag does not grow with their number.
  package init(_ tags: some Sequence<Tag>) {
    sorted = tags.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let isRepeated = { (left: Tag, right: Tag) in left.name.utf8.elementsEqual(right.name.utf8) }
    guard zip(sorted, sorted.dropFirst()).contains(where: isRepeated) else { return }
    sorted = sorted.reduce(into: []) { distinct, tag in
      if let last = distinct.last, isRepeated(last, tag) { distinct.removeLast() }
      distinct.append(tag)
    }
  }

  /// The value of a tag; nil if there is no such tag.
  package subscript(name: String) -> String? {
    get {
      let index = position(of: name)
      return isHere(name, index) ? sorted[index].value : nil
    }
    set {
      let index = position(of: name)
      switch (isHere(name, index), newValue) {
      case (true, let value?): sorted[index].value = value
      case (true, nil): sorted.remove(at: index)
      case (false, let value?): sorted.insert((name, value), at: index)
      case (false, nil): break
      }
    }
  }

  private func isHere(_ name: String, _ index: Int) -> Bool {
    index < sorted.count && sorted[index].name.utf8.elementsEqual(name.utf8)
  }

  /// The index of `name`, present or not.
  private func position(of name: String) -> Int {
    var range = sorted.startIndex..<sorted.endIndex
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let isBefore = sorted[middle].name.utf8.lexicographicallyPrecedes(name.utf8)
      range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  package static func == (left: Tags, right: Tags) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy {
        $0.name.utf8.elementsEqual($1.name.utf8) && $0.value.utf8.elementsEqual($1.value.utf8)
      }
  }
}

extension Tags: RandomAccessCollection {
  package var startIndex: Int { sorted.startIndex }
  package var endIndex: Int { sorted.endIndex }
  package subscript(index: Int) -> Tag { sorted[index] }
}

extension Tags: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.lazy.map { (name: $0, value: $1) })
  }
}

// MARK: - JSON

extension Tags {
  /// Reads an object whose values are all strings.
  package init(parsing text: String) throws(WalletError) {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformedTags(reason: error.description) }
    try self.init(json: json)
  }

  package init(json: JSON) throws(WalletError) {
    guard let object = json.object else { throw .malformedTags(reason: "not an object") }
    var tags: [Tag] = []
    tags.reserveCapacity(object.count)
    for (name, value) in object.members {
      guard let value = value.string else { throw .malformedTags(reason: "the value of a tag is not a string") }
      tags.append((name, value))
    }
    self.init(tags)
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      for tag in sorted {
        writer.name(tag.name)
        writer.write(tag.value)
      }
    }
  }

  /// Reads an array of tag names.
  package static func names(parsing text: String) throws(WalletError) -> [String] {
    let json: JSON
    do { json = try JSON(parsing: text) } catch { throw .malformedTags(reason: error.description) }
    guard let array = json.array else { throw .malformedTags(reason: "the names are not an array") }
    let names = array.compactMap(\.string)
    guard names.count == array.count else { throw .malformedTags(reason: "the name of a tag is not a string") }
    return names
  }
}
