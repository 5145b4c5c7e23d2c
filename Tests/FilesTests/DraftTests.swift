import Foundation
import TestSupport
import Testing

@testable import Files

/// Unfinished files that killed processes leave behind.
@Suite struct DraftTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String) throws -> String {
    let path = folder.path + "/" + name
    try Data("half".utf8).write(to: URL(filePath: path))
    return path
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func onlyAbandonedDraftsOfTheFileAreRemoved() throws {
    let abandoned = try ["", "-journal", "-wal", "-shm"].map { try make("export.msdk-2147483646-7.new\($0)") }
    let others = try [
      "export.msdk-\(getpid())-7.new-journal", "export.msdk-2147483646-7.new-other", "export-journal",
      "export.msdk-\(getpid())-7.new", "other.msdk-2147483646-7.new", "export.2147483646-7.new", "export.2024-11.new",
      "export.msdk-x-7.new", "export.msdk-2147483646-7.old", "export.new", "export",
    ].map { try make($0) }
    Files.removeAbandonedDrafts(for: folder.path + "/export")
    for path in abandoned { #expect(!exists(path), "\(path)") }
    for path in others { #expect(exists(path), "\(path)") }
  }

  @Test func aReplacementLeavesNoDraftsOfThisFile() throws {
    let (path, abandoned, other) = try (
      make("file"), make("file.msdk-2147483646-7.new"), make("other.msdk-2147483646-7.new")
    )
    try Files.replace(path, with: [1, 2], mode: 0o640)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2]))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(!exists(abandoned) && exists(other))
    try FileManager.default.createDirectory(atPath: folder.path + "/taken", withIntermediateDirectories: false)
    #expect(throws: FileError.self) { try Files.replace(folder.path + "/taken", with: [3]) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["file", "other.msdk-2147483646-7.new", "taken"])
  }

  @Test func aNewFileReplacesNoOther() throws {
    let (path, taken) = (folder.path + "/new", try make("taken"))
    try Files.create(path, with: [1, 2])
    #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2]))
    #expect { try Files.create(taken, with: [3]) } throws: { ($0 as? FileError)?.isOccupied == true }
    #expect(try Data(contentsOf: URL(filePath: taken)) == Data("half".utf8))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(names == ["new", "taken"])
  }

  /// The number of a process in another container says nothing here, but its lock does.
  @Test func aDraftThatIsStillWrittenStays() throws {
    let path = folder.path + "/export.msdk-2147483646-7.new"
    do {
      let writer = try FileWriter(creating: path)
      try writer.write([1])
      Files.removeAbandonedDrafts(for: folder.path + "/export")
      #expect(exists(path))
    }
    Files.removeAbandonedDrafts(for: folder.path + "/export")
    #expect(!exists(path))
  }

  @Test func linksAreNotFollowed() throws {
    let (target, link) = (try make("target"), folder.path + "/export.msdk-2147483646-7.new")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    Files.removeAbandonedDrafts(for: folder.path + "/export")
    #expect(exists(target))
  }
}
