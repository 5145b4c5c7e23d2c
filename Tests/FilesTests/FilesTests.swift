import Files
import Foundation
import TestSupport
import Testing
import Threading

@Suite struct FilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func missingDirectoriesAreMadeForTheirOwnerOnly() throws {
    let path = folder.path + "/a/b/c"
    try Files.makeDirectory(path)
    try Files.makeDirectory(path)
    #expect(Files.isDirectory(path))
    #expect(try permissions(path) == 0o700)
    #expect(try permissions(folder.path + "/a") == 0o700)
  }

  /// To read in a directory, a user needs the permission to pass through those above it.
  @Test func missingDirectoriesAboveHaveThePermissionsOfTheDirectory() throws {
    try Files.makeDirectory(folder.path + "/x/y/z", mode: 0o750)
    for path in ["/x", "/x/y", "/x/y/z"] { #expect(try permissions(folder.path + path) == 0o750, "\(path)") }
  }

  /// It may be the user's home, or one that several programs share.
  @Test func aDirectoryThatIsThereKeepsItsPermissions() throws {
    let path = folder.path + "/shared"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    try Files.makeDirectory(path)
    try Files.makeDirectory(path + "/below/it")
    #expect(try permissions(path) == 0o755 && permissions(path + "/below") == 0o700)
  }

  @Test func manyThreadsMakeTheSameDirectories() {
    let (folder, failures, done) = (folder.path, Locked(0), DispatchSemaphore(value: 0))
    // The first thread is soon met by the others, for which less is left to do.
    for _ in 0..<4 {
      Thread.detachNewThread {
        for round in 0..<60 {
          do { try Files.makeDirectory("\(folder)/\(round)/a/b") } catch { failures.withLock { $0 += 1 } }
        }
        done.signal()
      }
    }
    for _ in 0..<4 { done.wait() }
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func aMissingFileCountsAsRemoved() throws {
    let path = folder.path + "/file"
    try Files.createEmpty(path, mode: 0o600)
    for _ in 0..<2 { try Files.remove(path) }
    #expect(Files.identity(of: path) == nil)
    #expect(throws: FileError.self) { try Files.remove(folder.path) }
  }

  @Test func aFileInTheWayOfADirectoryIsAnError() throws {
    try Files.createEmpty(folder.path + "/file", mode: 0o600)
    #expect(throws: FileError.self) { try Files.makeDirectory(folder.path + "/file") }
    #expect(throws: FileError.self) { try Files.makeDirectory(folder.path + "/file/below") }
  }

  @Test(arguments: [0, 1, 65_536, 200_000]) func aFileIsReadWhole(length: Int) throws {
    let path = folder.path + "/file"
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try Files.contents(of: path, limit: length) == bytes)
    if length > 0 { #expect(throws: FileError.self) { try Files.contents(of: path, limit: length - 1) } }
  }

  @Test func anAbsentFileCannotBeRead() {
    #expect(throws: FileError.self) { try Files.contents(of: folder.path, limit: 10) }
    do {
      _ = try Files.contents(of: folder.path + "/none", limit: 10)
      Issue.record("read")
    } catch {
      #expect(error.isMissing)
    }
  }

  @Test func aHeldFileKeepsItsIdentityWhenItIsDeleted() throws {
    let file = folder.path + "/held"
    #expect { _ = try Files.Hold(file) } throws: { ($0 as? FileError)?.isMissing == true }
    try Data().write(to: URL(filePath: file))
    let (identity, hold) = (Files.identity(of: file), try Files.Hold(file))
    #expect(hold.identity == identity)
    try FileManager.default.removeItem(atPath: file)
    for number in 0..<50 {
      try Data().write(to: URL(filePath: file + "\(number)"))
      #expect(Files.identity(of: file + "\(number)") != identity)
    }
    withExtendedLifetime(hold) {}
  }

  @Test func twoPathsToOneFileHaveOneIdentity() throws {
    let (file, link) = (folder.path + "/file", folder.path + "/link")
    try Files.createEmpty(file, mode: 0o600)
    #expect(try permissions(file) == 0o600)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    #expect(Files.identity(of: file) != nil && Files.identity(of: file) == Files.identity(of: link))
    #expect(Files.identity(of: folder.path + "/absent") == nil)
  }

  @Test func publishingTakesOnlyAFreeName() throws {
    let (draft, name) = (folder.path + "/draft", folder.path + "/name")
    try Data("one".utf8).write(to: URL(filePath: draft))
    try Files.publish(draft, as: name)
    #expect(try String(contentsOfFile: name, encoding: .utf8) == "one")
    #expect(Files.identity(of: draft) == nil)

    try Data("two".utf8).write(to: URL(filePath: draft))
    do throws(FileError) {
      try Files.publish(draft, as: name)
      Issue.record("the name was taken")
    } catch {
      #expect(error.isOccupied)
    }
    #expect(try String(contentsOfFile: name, encoding: .utf8) == "one")
  }

  @Test func removingATreeDoesNotFollowLinks() throws {
    let (tree, outside) = (folder.path + "/tree", folder.path + "/outside")
    try Files.makeDirectory(tree + "/below")
    try Files.makeDirectory(outside)
    try Files.createEmpty(outside + "/kept", mode: 0o600)
    try Files.createEmpty(tree + "/below/file", mode: 0o600)
    try FileManager.default.createSymbolicLink(atPath: tree + "/link", withDestinationPath: outside)
    try Files.removeTree(tree)
    #expect(Files.identity(of: tree) == nil)
    #expect(Files.identity(of: outside + "/kept") != nil)
  }

  /// A pipe without a writer would hold the reader for ever; a directory is no file.
  @Test func onlyRegularFilesAreRead() throws {
    let pipe = folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/zero"] {
      #expect(throws: FileError.self) { try FileReader(path: path) }
      #expect(throws: FileError.self) { try Files.contents(ofRegularFile: path, limit: 10) }
    }
    let path = folder.path + "/file"
    try Data("abc".utf8).write(to: URL(filePath: path))
    #expect(try Files.contents(ofRegularFile: path, limit: 3) == Array("abc".utf8))
    #expect(throws: FileError.self) { try Files.contents(ofRegularFile: path, limit: 2) }
  }

  @Test func aFileIsExposedByItsOwnerAndTheRightsOfAll() throws {
    let path = folder.path + "/file"
    try Data("abc".utf8).write(to: URL(filePath: path))
    for (mode, exposure) in [
      (0o600, []), (0o660, []), (0o604, .readable), (0o602, .writable), (0o666, [.readable, .writable]),
    ] as [(mode_t, Files.Exposure)] {
      #expect(chmod(path, mode) == 0)
      #expect(Files.exposure(of: path) == exposure)
    }
    #expect(Files.exposure(of: folder.path + "/absent") == [])
    #expect(Files.exposure(of: "/dev/null") == [])
  }

  /// Only root can give a file away.
  @Test(.enabled(if: geteuid() == 0)) func aFileOfAnotherUserIsForeign() throws {
    #expect(chmod(folder.path, 0o700) == 0 && chown(folder.path, 65_534, 65_534) == 0)
    #expect(Files.exposure(of: folder.path) == .foreign)
  }

  @Test func aLockedDirectoryIsNotLockedTwice() throws {
    var lock = try DirectoryLock(folder.path)
    #expect(lock != nil)
    #expect(try DirectoryLock(folder.path) == nil)
    lock = nil
    #expect(try DirectoryLock(folder.path) != nil)
    #expect(throws: FileError.self) { try DirectoryLock(folder.path + "/absent") }
  }

  @Test func aFileIsReadInPieces() throws {
    let path = folder.path + "/file"
    try Data("abcdefg".utf8).write(to: URL(filePath: path))
    let reader = try FileReader(path: path)
    #expect(reader.length == 7)
    #expect(try [reader.read(3), reader.read(3), reader.read(3), reader.read(3)].map(\.count) == [3, 3, 1, 0])
  }

  @Test func aNewFileReplacesNone() throws {
    let path = folder.path + "/file"
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    do {
      let writer = try FileWriter(creating: path)
      for _ in 0..<3 { try writer.write(bytes) }
      try writer.synchronize()
    }
    #expect(try Files.contents(of: path, limit: .max) == bytes + bytes + bytes)
    #expect(try permissions(path) == 0o600)
    #expect(throws: FileError.self) { try FileWriter(creating: path) }
    #expect(throws: FileError.self) { try Files.createEmpty(path, mode: 0o600) }
    #expect(try Files.contents(of: path, limit: .max).count == 300_000)
  }

  @Test func draftsTellWhoMakesThem() {
    let draft = Files.draftPath(for: "file")
    #expect(draft != Files.draftPath(for: "file"))
    #expect(Files.draftOwner(of: draft) == getpid())
    for name in ["file", "file.new", "file.x-1.new", "file.1-1.old"] { #expect(Files.draftOwner(of: name) == nil) }
    #expect(Files.isRunning(process: getpid()) && Files.isRunning(process: 1))
    #expect(!Files.isRunning(process: .max))
  }

  @Test func anotherNameReplacesTheFileThatHadIt() throws {
    let (old, new) = (folder.path + "/old", folder.path + "/new")
    try Data("old".utf8).write(to: URL(filePath: old))
    try Data("new".utf8).write(to: URL(filePath: new))
    try Files.rename(old, to: new)
    #expect(Files.isFree(old))
    #expect(try String(contentsOfFile: new, encoding: .utf8) == "old")
    #expect(throws: FileError.self) { try Files.rename(old, to: new) }
  }

  @Test func aLinkThatLeadsNowhereTakesAName() throws {
    let link = folder.path + "/link"
    #expect(Files.isFree(link))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path + "/absent")
    #expect(Files.identity(of: link) == nil && !Files.isFree(link))
  }

  // MARK: Locks

  @Test func oneAtATimeHasADirectory() throws {
    let (folder, inside) = (folder.path, Locked((now: 0, most: 0)))
    DispatchQueue.concurrentPerform(iterations: 40) { _ in
      do {
        try Files.locked(folder) { () throws(FileError) in
          inside.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
          }
          usleep(500)
          inside.withLock { $0.now -= 1 }
        }
      } catch { Issue.record(error) }
    }
    #expect(inside.withLock { $0.most } == 1)
    #expect(throws: FileError.self) { try Files.locked(folder + "/absent") { () throws(FileError) in } }
  }

  /// The lock of a directory that is gone keeps nobody from the new one of its name.
  @Test func theLockBelongsToThePresentDirectory() throws {
    let path = folder.path + "/directory"
    let (isHeld, isWaited, entered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), Locked(0))
    try Files.makeDirectory(path)
    let identity = { Files.identity(of: path) }
    Thread.detachNewThread {
      try? Files.locked(path) { () throws(FileError) in
        isHeld.signal()
        usleep(200_000)  // so that the other waits, most likely
        Files.removeEmptyDirectory(path)
        try Files.makeDirectory(path)
        entered.withLock { $0 += 1 }
      }
      isWaited.signal()
    }
    isHeld.wait()
    try Files.locked(path) { () throws(FileError) in
      #expect(identity() != nil)
      // The next process has to wait for us.
      let directory = open(path, O_RDONLY | O_DIRECTORY)
      #expect(flock(directory, LOCK_EX | LOCK_NB) != 0)
      close(directory)
    }
    isWaited.wait()
    #expect(entered.withLock { $0 } == 1)
  }

  @Test func parentsAreFound() {
    #expect(Files.parent(of: "/a/b") == "/a")
    #expect(Files.parent(of: "/a/b/") == "/a")
    #expect(Files.parent(of: "/a") == "/")
    #expect(Files.parent(of: "a") == nil)
  }

  /// Services of the system often run without it.
  @Test func aProcessWithoutHOMEHasTheHomeOfItsUser() async {
    await #expect(processExitsWith: .success) {
      setenv("HOME", "/from/the/environment", 1)
      #expect(Files.home == "/from/the/environment")
      let listed = getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
      setenv("HOME", "", 1)
      #expect(Files.home == listed)
      unsetenv("HOME")
      #expect(Files.home == listed)
    }
  }
}
