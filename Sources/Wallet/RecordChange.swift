/// A change to one record of the application.
package enum RecordChange: Equatable, Sendable {
  case add(Record)
  /// Replaces the value; tags do not change.
  case updateValue(type: String, id: String, value: String)
  case delete(type: String, id: String)
  /// Adds tags, and replaces tags with the same names.
  case addTags(Tags, type: String, id: String)
  /// The record has these tags and no others.
  case replaceTags(with: Tags, type: String, id: String)
  /// Deletes tags. Ignores names that the record does not have.
  case deleteTags(named: [String], type: String, id: String)

  var type: String {
    switch self {
    case .add(let record): record.type
    case .updateValue(let type, _, _), .delete(let type, _), .addTags(_, let type, _),
      .replaceTags(_, let type, _), .deleteTags(_, let type, _):
      type
    }
  }

  /// The number of tags that the change writes or deletes.
  private var tagCount: Int {
    switch self {
    case .add(let record): record.tags.count
    case .addTags(let tags, _, _), .replaceTags(let tags, _, _): tags.count
    case .deleteTags(let names, _, _): names.count
    case .updateValue, .delete: 0
    }
  }

  /// The highest number of tags in one change. Each tag goes to three places of the file, far from each other in a
  /// large wallet: more tags would keep all other writers waiting for seconds.
  static let mostTags = 10_000

  /// Throws unless the application may make this change: its type is not the library's own, and its tags are not too
  /// many.
  func check() throws(WalletError) {
    if Record.isReserved(type: type) { throw .reservedType }
    guard tagCount <= Self.mostTags else { throw .malformedTags(reason: "more than \(Self.mostTags)") }
  }
}

extension RecordChange {
  /// The writer's work, with sealed values only.
  typealias Sealed = @Sendable (Writer) throws(WalletError) -> Void

  func sealed(by cipher: RecordCipher) -> Sealed {
    switch self {
    case .add(let record):
      let sealed = cipher.seal(record)
      return { writer throws(WalletError) in try writer.insert(sealed) }
    case .updateValue(let type, let id, let value):
      let (type, name, value) = (cipher.seal(type: type), cipher.seal(id: id), cipher.seal(value: value))
      return { writer throws(WalletError) in try writer.update(value, type: type, name: name) }
    case .delete(let type, let id):
      let (type, name) = (cipher.seal(type: type), cipher.seal(id: id))
      return { writer throws(WalletError) in try writer.delete(type: type, name: name) }
    case .addTags(let tags, let type, let id):
      let (type, name, tags) = (cipher.seal(type: type), cipher.seal(id: id), cipher.seal(tags))
      return { writer throws(WalletError) in try writer.add(tags, type: type, name: name) }
    case .replaceTags(let tags, let type, let id):
      let (type, name, tags) = (cipher.seal(type: type), cipher.seal(id: id), cipher.seal(tags))
      return { writer throws(WalletError) in try writer.replaceTags(with: tags, type: type, name: name) }
    case .deleteTags(let names, let type, let id):
      let (type, name, names) = (cipher.seal(type: type), cipher.seal(id: id), names.map { cipher.seal(TagName($0)) })
      return { writer throws(WalletError) in try writer.delete(names, type: type, name: name) }
    }
  }
}
