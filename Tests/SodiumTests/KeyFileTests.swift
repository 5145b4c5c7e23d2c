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

  @Test(arguments: [0o644, 0o640, 0o602, 0o604, 0o601, 0o620, 0o610])
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

  @Test func aFileThatIsNotThereIsNoKey() throws {
    #expect(try file.load() == nil)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    let nowhere = KeyFile(path: folder.path + "/none/key", count: 32)
    #expect(try nowhere.load() == nil)
  }

  /// A link could lead to another program's file.
  @Test func aLinkIsNotFollowed() throws {
    let other = KeyFile(path: folder.path + "/other", count: 32)
    _ = try other.loadOrCreate()
    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: other.path)
    #expect(throws: KeyFileError.unreadable) { try file.load() }
    #expect(throws: KeyFileError.unreadable) { try file.loadOrCreate() }
  }

  @Test func aKeyThatIsThereIsNotReplaced() throws {
    let key = SecretBytes(random: 32)
    try file.create(key)
    #expect(throws: KeyFileError.exists) { try file.create(SecretBytes(random: 32)) }
    #expect(try file.load() == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  /// A process that had the same number may have ended before it was done.
  @Test func theDraftOfAnEndedProcessIsReplaced() throws {
    let draft = "\(file.path).\(ProcessInfo.processInfo.processIdentifier).new"
    try Data([1, 2, 3]).write(to: URL(filePath: draft))
    let key = try file.loadOrCreate()
    #expect(try file.load() == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["key"])
  }

  @Test func aFolderThatIsNotThereTakesNoKey() {
    let nowhere = KeyFile(path: folder.path + "/none/key", count: 32)
    #expect(throws: KeyFileError.unwritable) { try nowhere.create(SecretBytes(random: 32)) }
  }

  /// In a process of its own, in which hardly anybody else opens files.
  @Test func noKeyFileStaysOpen() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let count = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      _ = try KeyFile(path: folder.path + "/first", count: 32).loadOrCreate()
      let before = try count()
      for number in 0..<20 {
        let file = KeyFile(path: folder.path + "/\(number)", count: 32)
        for _ in 0..<2 { _ = try file.loadOrCreate() }
        #expect(throws: KeyFileError.wrongLength) { try KeyFile(path: file.path, count: 31).load() }
      }
      #expect(try count() < before + 10)
    }
  }

  /// The first key that gets its name counts, for all of them.
  @Test func manyThreadsGetTheSameKey() async throws {
    for round in 0..<20 {  // in one of them, threads meet between the look at the file and its creation
      let file = KeyFile(path: "\(folder.path)/\(round)", count: 32)
      let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for _ in 0..<8 { group.addTask { try file.loadOrCreate().exposed() } }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(keys.count == 1)
    }
  }
}
