import TestSupport
import Testing

@testable import Files

@Suite struct PlaceLockTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aPlaceHasOneHolder() throws {
    let path = folder.path + "/file"
    try Files.replace(path, with: [1])
    var first = try PlaceLock(1 << 61, of: path)
    #expect(first != nil)
    #expect(try PlaceLock(1 << 61, of: path) == nil)
    #expect(try PlaceLock(7, of: path) != nil)
    first = nil
    #expect(try PlaceLock(1 << 61, of: path) != nil)
    #expect(try Files.contents(of: path, limit: 10) == [1])
  }

  @Test func anAbsentFileIsMade() throws {
    let path = folder.path + "/absent"
    let lock = try PlaceLock(1, of: path)
    #expect(try lock != nil && Files.contents(of: path, limit: 10).isEmpty)
    #expect(try PlaceLock(1, of: path) == nil)
  }

  @Test func anAbsentFolderHasNoLock() {
    #expect(throws: FileError.self) { try PlaceLock(1, of: folder.path + "/absent/file") }
  }
}
