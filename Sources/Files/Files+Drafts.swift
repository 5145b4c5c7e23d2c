internal import Platform

/// Unfinished files under names of their own. A file gets its real name when it is complete, so that no interruption
/// leaves half a file under that name.
extension Files {
  /// Marks the names of drafts, so that no user's own file looks like a draft.
  private static let mark = "msdk-"

  /// A free name beside `path` for an unfinished file. It contains the number of the process.
  package static func draftPath(for path: String) -> String {
    "\(path).\(mark)\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
  }

  /// Replaces the file at `path`, or makes it. Other processes see the old bytes or all of the new bytes, which survive
  /// a power cut once this returns. No draft stays, neither of this process nor of killed ones: it may hold secrets.
  package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(FileError) {
    try write(bytes, beside: path, mode: mode) { draft throws(FileError) in try rename(draft, to: path) }
  }

  /// Makes the file at `path` in the same way. Throws an error that `isOccupied` if there is such a file.
  package static func create(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(FileError) {
    try write(bytes, beside: path, mode: mode) { draft throws(FileError) in try publish(draft, as: path) }
  }

  private static func write(
    _ bytes: [UInt8], beside path: String, mode: UInt32, _ finish: (_ draft: String) throws(FileError) -> Void
  ) throws(FileError) {
    removeAbandonedDrafts(for: path)
    let draft = draftPath(for: path)
    let writer = try FileWriter(creating: draft, mode: mode)
    do throws(FileError) {
      try writer.write(bytes)
      try writer.synchronize()
      try finish(draft)
    } catch {
      try? remove(draft)
      throw error
    }
  }

  /// The process that writes a file of this name; nil if it is not a draft's name. Names of older versions have no mark.
  package static func draftOwner(of name: String) -> Int32? {
    let parts = name.split(separator: ".")
    guard parts.count >= 3, parts.last == "new" else { return nil }
    let part = parts[parts.count - 2]
    return (part.hasPrefix(mark) ? part.dropFirst(mark.count) : part).split(separator: "-").first.flatMap { Int32($0) }
  }

  /// Whether a process with this number exists.
  package static func isRunning(process: Int32) -> Bool { kill(process, 0) == 0 || errno != ESRCH }

  /// Removes the drafts for `path` that processes left behind when they were killed. Best effort. Drafts that another
  /// process still writes stay, also if that process is not visible from here, as in another container.
  package static func removeAbandonedDrafts(for path: String) {
    let (directory, start) = (parent(of: path) ?? ".", (path.split(separator: "/").last ?? "") + "." + mark)
    for name in (try? names(in: directory)) ?? [] where name.hasPrefix(start) {
      guard let process = draftOwner(of: databaseName(name)), !isRunning(process: process) else { continue }
      removeUnlessLocked("\(directory)/\(name)")
    }
  }

  /// The name of the database if this is one of the files that SQLite makes beside it, otherwise the name itself.
  private static func databaseName(_ name: String) -> String {
    let ending = ["-journal", "-wal", "-shm"].first { name.hasSuffix($0) }
    return String(name.dropLast(ending?.count ?? 0))
  }

  private static func removeUnlessLocked(_ path: String) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { try? remove(path) }
  }
}
