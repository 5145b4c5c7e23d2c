/// A record of a wallet. Type and id together identify it; they are compared by their bytes.
package struct Record: Equatable, Sendable {
  package var type: String
  package var id: String
  package var value: String
  package var tags: Tags

  package init(type: String, id: String, value: String, tags: Tags = [:]) {
    self.type = type
    self.id = id
    self.value = value
    self.tags = tags
  }

  /// Types that begin with `Indy`, with or without the colons, are the library's own.
  static func isReserved(type: String) -> Bool { type.utf8.starts(with: "Indy".utf8) }
}
