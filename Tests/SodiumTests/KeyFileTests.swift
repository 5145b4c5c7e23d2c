import Foundation
import Sodium
import TestSupport
import Testing

@Suite struct KeyFileTests {
  let folder: TemporaryFolder
  let file: KeyFile

  init() throws {
    folder = try TemporaryFolder()
    file = KeyFile(path: folder.path + "/key", count: 32)
  }

  @Test func theFirstCallMakesTheKeyAndTheNextReadsIt() throws {
    let key = try file.loadOrCreate()
    #expect(key.count == 32)
    #expect(try file.loadOrCreate() == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: [0o644, 0o640, 0o602])
  func aKeyThatOthersCanReachIsRefused(mode: Int) throws {
    _ = try file.loadOrCreate()
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    #expect(throws: KeyFileError.readableByOthers) { try file.loadOrCreate() }
  }

  @Test(arguments: [0, 31, 33])
  func aKeyOfAnotherLengthIsRefused(count: Int) throws {
    #expect(
      FileManager.default.createFile(
        atPath: file.path, contents: Data(count: count), attributes: [.posixPermissions: 0o600]))
    #expect(throws: KeyFileError.wrongLength) { try file.loadOrCreate() }
  }

  @Test func onlyAFileIsRead() throws {
    try FileManager.default.createDirectory(atPath: file.path, withIntermediateDirectories: false)
    #expect(throws: KeyFileError.unreadable) { try file.loadOrCreate() }
    #expect(throws: KeyFileError.unwritable) { try KeyFile(path: "/proc/nowhere/key", count: 32).loadOrCreate() }
  }
}
