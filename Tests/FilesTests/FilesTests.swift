import Files
import Foundation
import TestSupport
import Testing

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

  @Test func whatIsNoFileCannotBeRead() {
    #expect(throws: FileError.self) { try Files.contents(of: folder.path, limit: 10) }
    do {
      _ = try Files.contents(of: folder.path + "/none", limit: 10)
      Issue.record("read")
    } catch {
      #expect(error.isMissing)
    }
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

  @Test func parentsAreFound() {
    #expect(Files.parent(of: "/a/b") == "/a")
    #expect(Files.parent(of: "/a/b/") == "/a")
    #expect(Files.parent(of: "/a") == "/")
    #expect(Files.parent(of: "a") == nil)
  }
}
