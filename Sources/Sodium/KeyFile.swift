internal import Platform
internal import Threading

/// A secret key in a file of its own, which only its owner can read. It reads into the memory of a secret, and
/// `AgencyServer`, which uses it, has no unsafe code.
package struct KeyFile: Sendable {
  package let path: String
  private let count: Int

  /// The file at `path` holds, or will hold, exactly `count` bytes.
  package init(path: String, count: Int) {
    self.path = path
    self.count = count
  }

  /// The key. The first call for a path creates a random key, which is on disk when the call returns.
  package func loadOrCreate() throws(KeyFileError) -> SecretBytes {
    if let key = try load() { return key }
    let key = SecretBytes(random: count)
    do throws(KeyFileError) {
      try create(key)
      return key
    } catch {
      guard error == .exists, let key = try load() else { throw error }
      return key  // another process was faster
    }
  }

  /// Nil if the file does not exist.
  package func load() throws(KeyFileError) -> SecretBytes? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      guard errno == ENOENT else { throw .unreadable }
      return nil
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .unreadable }
    guard status.st_mode & 0o077 == 0 else { throw .readableByOthers }
    guard Int(status.st_size) == count else { throw .wrongLength }
    var isRead = false
    let key = SecretBytes(count: count) { isRead = read(file, $0, count) == count }
    guard isRead else { throw .unreadable }
    return key
  }

  /// Creates the file, which must not exist. `key` is on disk when the call returns.
  package func create(_ key: SecretBytes) throws(KeyFileError) {
    try Self.creation.alone { () throws(KeyFileError) in try createAlone(key) }
  }

  /// One thread at a time creates a file, because all threads of a process use the same name for the draft. The name
  /// contains only the number of the process, so that a later process with that number removes the draft of a killed
  /// process.
  private static let creation = SharedLock()

  private func createAlone(_ key: SecretBytes) throws(KeyFileError) {
    let draft = path + ".\(getpid()).new"
    unlink(draft)
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unwritable }
    defer { unlink(draft) }
    let isWritten = key.withPointer { write(file, $0, count) == count } && fsync(file) == 0
    guard close(file) == 0, isWritten else { throw .unwritable }
    // A file with this name is complete or absent.
    guard link(draft, path) == 0 else { throw errno == EEXIST ? .exists : .unwritable }
    try syncFolder()
  }

  /// Makes the new name durable.
  private func syncFolder() throws(KeyFileError) {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .unwritable }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .unwritable }
  }
}

/// The reasons why a key file cannot be used.
package enum KeyFileError: Error, Equatable, Sendable {
  case unreadable, unwritable
  /// Its permissions let other users read or write it.
  case readableByOthers
  /// Its length is not the key's length.
  case wrongLength
  /// Another process created it at the same time.
  case exists
}

extension KeyFileError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable: "the key file cannot be read"
    case .unwritable: "the key file cannot be written"
    case .readableByOthers: "the key file is open to others than its owner (it should have mode 0600)"
    case .wrongLength: "the key file has a wrong length"
    case .exists: "the key file exists already"
    }
  }
}
