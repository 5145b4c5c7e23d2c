import Foundation
import TestSupport
import Testing

@testable import Files

/// Operations that the system refuses.
@Suite struct FileFailureTests {
  let folder: TemporaryFolder
  var file: String { folder.path + "/file" }
  var absent: String { folder.path + "/absent" }

  init() throws {
    folder = try TemporaryFolder()
    try Data("abcdefg".utf8).write(to: URL(filePath: file))
  }

  @Test(
    arguments: [
      (ENOENT, "missing"), (ENOTDIR, "missing"), (EEXIST, "occupied"), (EFBIG, "large"), (ENOSPC, "full"),
      (EDQUOT, "full"), (EACCES, nil), (EIO, nil),
    ] as [(Int32, String?)])
  func reasonsAreToldApart(code: Int32, kind: String?) {
    let error = FileError("do", code: code)
    #expect(error.isMissing == (kind == "missing"))
    #expect(error.isOccupied == (kind == "occupied"))
    #expect(error.isTooLarge == (kind == "large"))
    #expect(error.isDiskFull == (kind == "full"))
    #expect(error.description == "cannot do: \(String(cString: strerror(code)))")
  }

  @Test func theErrorNamesTheOperationAndItsReason() throws {
    let refused: [(String, Int32, () throws -> Void)] = [
      ("open a file", ENOENT, { _ = try FileReader(path: absent) }),
      ("read a pipe, a device or a directory as a file", EINVAL, { _ = try FileReader(path: folder.path) }),
      ("open a file", ENOTDIR, { _ = try FileReader(path: file + "/below") }),
      ("make a file", EEXIST, { _ = try FileWriter(creating: file) }),
      ("make a file", ENOENT, { _ = try FileWriter(creating: absent + "/below") }),
      ("make a file", EEXIST, { try Files.createEmpty(file, mode: 0o600) }),
      ("open a file", ENOENT, { _ = try Files.contents(of: absent, limit: 10) }),
      ("open a file", ENOTDIR, { _ = try Files.contents(of: file + "/below", limit: 10) }),
      ("read a file", EISDIR, { _ = try Files.contents(of: folder.path, limit: 10) }),
      ("read a file", EFBIG, { _ = try Files.contents(of: file, limit: 6) }),
      ("open a directory", ENOENT, { try Files.locked(absent) { () throws(FileError) in } }),
      ("open a directory", ENOTDIR, { try Files.locked(file) { () throws(FileError) in } }),
      ("make a directory", EEXIST, { try Files.makeDirectory(file) }),
      ("make a directory", ENOTDIR, { try Files.makeDirectory(file + "/below") }),
      ("make a directory", ENOENT, { try Files.makeDirectory("") }),
      ("make a directory", ENOENT, { try Files.makeDirectory("/proc/absent/below") }),
      ("read a directory", ENOTDIR, { _ = try Files.names(in: file) }),
      ("read a directory", ENOENT, { try Files.removeTree(absent) }),
      ("remove a file", ENOTDIR, { try Files.remove(file + "/below") }),
      ("name a file", ENOENT, { try Files.rename(absent, to: file) }),
      ("name a file", ENOENT, { try Files.publish(absent, as: folder.path + "/name") }),
      ("name a file", EEXIST, { try Files.publish(file, as: file) }),
    ]
    for (operation, code, body) in refused {
      #expect(throws: FileError(operation, code: code)) { try body() }
    }
    #expect(try Files.contents(of: file, limit: 7) == Array("abcdefg".utf8))
  }

  @Test func aDirectoryThatCannotBeRemovedIsAnError() throws {
    try Files.makeDirectory(folder.path + "/tree/below")
    #expect(throws: FileError("remove a directory", code: EINVAL)) { try Files.removeTree(folder.path + "/tree/.") }
    #expect(Files.isDirectory(folder.path + "/tree") && Files.isFree(folder.path + "/tree/below"))
  }

  @Test func aLockEndsWithTheErrorOfItsHolder() throws {
    let failure = FileError("do", code: EIO)
    #expect(throws: failure) { try Files.locked(folder.path) { () throws(FileError) in throw failure } }
    let directory = open(folder.path, O_RDONLY | O_DIRECTORY)
    defer { close(directory) }
    #expect(flock(directory, LOCK_EX | LOCK_NB) == 0)
  }

  // MARK: Names

  /// The system gives directories no second name, as some file systems give none to files.
  @Test func withoutSecondNamesOnlyAFreeNameIsTaken() throws {
    let (draft, taken, name) = (folder.path + "/draft", folder.path + "/taken", folder.path + "/name")
    for path in [draft, taken] { try Files.makeDirectory(path) }
    for name in [taken, file] {
      #expect(throws: FileError("name a file", code: EEXIST)) { try Files.publish(draft, as: name) }
    }
    #expect(throws: FileError("name a file", code: EINVAL)) { try Files.publish(draft, as: draft + "/below") }
    #expect(Files.isDirectory(draft))
    try Files.publish(draft, as: name)
    #expect(Files.isFree(draft) && Files.isDirectory(name))
  }

  @Test func aLinkThatLeadsNowhereIsNotReplaced() throws {
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: absent)
    #expect(throws: FileError("name a file", code: EEXIST)) { try Files.publish(file, as: link) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == absent)
    #expect(!Files.isFree(file))
  }

  @Test func aNameIsFreeOnlyIfTheSystemSaysSo() throws {
    let loop = folder.path + "/loop"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    for path in [absent, absent + "/below", file + "/below"] { #expect(Files.isFree(path), "\(path)") }
    let long = folder.path + "/" + String(repeating: "x", count: 300)
    for path in [file, loop, loop + "/below", long] { #expect(!Files.isFree(path), "\(path)") }
  }

  @Test func onlyADirectoryIsADirectory() throws {
    #expect(Files.isDirectory(folder.path))
    for path in [file, absent, "/dev/null", "/dev/zero"] { #expect(!Files.isDirectory(path), "\(path)") }
  }

  @Test(
    arguments: [
      ("sqlite.db.12-3.new", 12), ("a.7.new", 7), ("12-3.new", nil), ("new", nil), ("", nil), (".new", nil),
      ("a.-.new", nil), ("a.12-3.new.db", nil), ("a.12-3.old", nil),
    ] as [(String, Int32?)])
  func onlyTheNameOfADraftHasAnOwner(name: String, owner: Int32?) { #expect(Files.draftOwner(of: name) == owner) }

  @Test func aNameWithoutADirectoryHasNoParent() {
    for (path, parent) in [("a/", nil), ("/", nil), ("a/b", "a"), ("a/b/", "a"), ("/a/", "/")] as [(String, String?)] {
      #expect(Files.parent(of: path) == parent, "\(path)")
    }
  }
}
