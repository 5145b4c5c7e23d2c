/// A change to one record of the application.
package enum RecordChange: Equatable, Sendable {
  case add(Record)
  /// The value is replaced; tags stay as they are.
  case updateValue(type: String, id: String, value: String)
  case delete(type: String, id: String)
  /// Tags of the same name are replaced.
  case addTags(Tags, type: String, id: String)
  /// The record has these tags and no others.
  case replaceTags(with: Tags, type: String, id: String)
  /// Names that the record does not have are no error.
  case deleteTags(named: [String], type: String, id: String)

  var type: String {
    switch self {
    case .add(let record): record.type
    case .updateValue(let type, _, _), .delete(let type, _), .addTags(_, let type, _),
      .replaceTags(_, let type, _), .deleteTags(_, let type, _):
      type
    }
  }
}

extension RecordCipher {
  typealias SealedChange = @Sendable (Writer) throws(WalletError) -> Void

  /// The change as the writer makes it.
  func seal(_ change: RecordChange) -> SealedChange {
    switch change {
    case .add(let record):
      let sealed = seal(record)
      return { writer throws(WalletError) in try writer.insert(sealed) }
    case .updateValue(let type, let id, let value):
      let (type, name, value) = (seal(type: type), seal(id: id), seal(value: value))
      return { writer throws(WalletError) in try writer.update(value, type: type, name: name) }
    case .delete(let type, let id):
      let (type, name) = (seal(type: type), seal(id: id))
      return { writer throws(WalletError) in try writer.delete(type: type, name: name) }
    case .addTags(let tags, let type, let id):
      let (type, name, tags) = (seal(type: type), seal(id: id), seal(tags))
      return { writer throws(WalletError) in try writer.add(tags, type: type, name: name) }
    case .replaceTags(let tags, let type, let id):
      let (type, name, tags) = (seal(type: type), seal(id: id), seal(tags))
      return { writer throws(WalletError) in try writer.replaceTags(with: tags, type: type, name: name) }
    case .deleteTags(let names, let type, let id):
      let (type, name, names) = (seal(type: type), seal(id: id), names.map { seal(TagName($0)) })
      return { writer throws(WalletError) in try writer.delete(names, type: type, name: name) }
    }
  }
}
