internal import Platform

/// The operations on directories and whole files that a store needs.
package enum Files: Sendable {
  /// Identifies a file on any path to it.
  package struct Identity: Hashable, Sendable {
    private let device: UInt64
    private let node: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(status.st_dev)
      node = UInt64(status.st_ino)
    }
  }

  /// Keeps the system from reusing the identity of a deleted file, as long as this object lives. It takes no part in
  /// the locks on the file.
  package final class Hold: Sendable {
    package let identity: Identity
    private let descriptor: Int32
    /// `O_PATH`, which the Glibc module lacks: the descriptor names the file, and closing it ends no lock.
    private static let nameOnly: Int32 = 0o10_000_000

    /// Throws if `path` leads to no file, or the process may not open more files.
    package init(_ path: String) throws(FileError) {
      let descriptor = open(path, Self.nameOnly | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError("open a file") }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else {
        let error = FileError("identify a file")
        close(descriptor)
        throw error
      }
      (self.descriptor, identity) = (descriptor, Identity(status))
    }

    deinit { close(descriptor) }
  }

  /// The user's home directory: from the environment, or otherwise from the system's list of users.
  package static var home: String? {
    if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) }
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
      guard let room = buffer.baseAddress, getpwuid_r(getuid(), &entry, room, buffer.count, &found) == 0, found != nil,
        let home = entry.pw_dir, home.pointee != 0
      else { return nil }
      return String(cString: home)
    }
  }

  /// Nil if `path` leads to no file, or the system gives no answer.
  package static func identity(of path: String) -> Identity? {
    var status = stat()
    return stat(path, &status) == 0 ? Identity(status) : nil
  }

  /// Whether `path` is certainly free. A link that leads nowhere also occupies it.
  package static func isFree(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Creates a directory and its missing parents. New ones get `mode`, and survive a power cut once this returns;
  /// existing ones stay as they are.
  package static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(FileError) {
    if mkdir(path, mode) == 0 { return synchronizeDirectory(parent(of: path) ?? ".") }
    switch errno {
    case EEXIST:
      guard isDirectory(path) else { throw FileError("make a directory", code: EEXIST) }
    case ENOENT:
      guard let parent = parent(of: path), parent != path else { throw FileError("make a directory", code: ENOENT) }
      try makeDirectory(parent, mode: mode)
      guard mkdir(path, mode) == 0 || errno == EEXIST else { throw FileError("make a directory") }
      synchronizeDirectory(parent)
    default: throw FileError("make a directory")
    }
  }

  /// The directory that contains `path`; nil for a bare name.
  package static func parent(of path: String) -> String? {
    guard let slash = path.dropLast(path.hasSuffix("/") ? 1 : 0).lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path from the root. A relative path is taken from the present directory; it stays as it is if that has been
  /// removed.
  package static func absolutePath(of path: String) -> String {
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Gives a finished file its name if the name is free. The name survives a power cut once this returns. The file has
  /// the name if and only if this does not throw; its old name may remain.
  package static func publish(_ path: String, as name: String) throws(FileError) {
    if link(path, name) == 0 {
      try? remove(path)
    } else {
      // Some file systems give a file only one name, so this checks first whether the name is free.
      guard [EPERM, ENOSYS, EOPNOTSUPP].contains(errno) else { throw FileError("name a file") }
      guard identity(of: name) == nil else { throw FileError("name a file", code: EEXIST) }
      guard Glibc.rename(path, name) == 0 else { throw FileError("name a file") }
    }
    synchronizeDirectory(parent(of: name) ?? ".")
  }

  /// Renames a file, and replaces a file of the new name. It survives a power cut once this returns.
  package static func rename(_ path: String, to name: String) throws(FileError) {
    guard Glibc.rename(path, name) == 0 else { throw FileError("name a file") }
    synchronizeDirectory(parent(of: name) ?? ".")
  }

  /// Removes a file; a missing file counts as removed.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError("remove a file") }
  }

  /// Removes a directory with its contents. Symbolic links are removed, not followed.
  package static func removeTree(_ path: String) throws(FileError) {
    for name in try names(in: path) {
      let entry = "\(path)/\(name)"
      var status = stat()
      guard lstat(entry, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { try removeTree(entry) } else { try remove(entry) }
    }
    guard rmdir(path) == 0 else { throw FileError("remove a directory") }
    synchronizeDirectory(parent(of: path) ?? ".")
  }

  /// The names in a directory, without the directory itself and its parent.
  package static func names(in path: String) throws(FileError) -> [String] {
    guard let directory = opendir(path) else { throw FileError("read a directory") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes the names in a directory durable. Best effort: some file systems refuse it.
  package static func synchronizeDirectory(_ path: String) {
    let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { return }
    fsync(directory)
    close(directory)
  }
}

// MARK: - Drafts

extension Files {
  /// Creates an empty file, which must not exist.
  package static func createEmpty(_ path: String, mode: UInt32) throws(FileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard file >= 0 else { throw FileError("make a file") }
    close(file)
  }

  /// Removes a directory if it is empty.
  package static func removeEmptyDirectory(_ path: String) { rmdir(path) }
}
