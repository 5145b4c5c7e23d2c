/// A place for files whose writers lose nothing of each other: a folder of this machine, or a web server.
package protocol ConditionalFiles: Sendable {
  /// The content of the file at `path`, relative to the place; nil if the file does not exist. `limit` is in bytes.
  func read(_ path: String, limit: Int) throws(RegistryError) -> [UInt8]?

  /// Replaces a file's content by the result of `edit`, unless the result is nil. `edit` receives nil if the file does
  /// not exist.
  ///
  /// No change of another writer is lost: if the file has changed meanwhile, `edit` is called again with its new content.
  func change(
    _ path: String, limit: Int, _ edit: ([UInt8]?) throws(PublicationError) -> [UInt8]?
  ) throws(PublicationError)

  /// Makes a file with the content of the tails file at `tails`, unless there is one.
  func add(tails: String, as path: String) throws(PublicationError)
}
