import Files
import Foundation
import TestSupport
import Testing

/// A process may have few files open: none stays open after its use. Each test has a process of its own, in which hardly
/// anybody else opens files.
@Suite struct OpenFileCountTests {
  /// The files that `body` leaves open when it is run twenty times. The libraries around it may open a few.
  static func leftOpen(_ body: (String) throws -> Void) throws -> Int {
    let folder = try TemporaryFolder()
    let count = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    try body(folder.path + "/first")
    let before = try count()
    for number in 0..<20 { try body(folder.path + "/\(number)") }
    return try count() - before
  }

  @Test func aFileIsClosedAfterItsUse() async {
    await #expect(processExitsWith: .success) {
      let left = try OpenFileCountTests.leftOpen { path in
        try FileWriter(creating: path).write([1, 2, 3])
        _ = try FileReader(path: path).read(3)
        _ = try Files.contents(of: path, limit: 3)
        _ = try Files.Hold(path)
        try Files.createEmpty(path + ".empty", mode: 0o600)
      }
      #expect(left < 10)
    }
  }

  @Test func aDirectoryIsClosedAfterItsUse() async {
    await #expect(processExitsWith: .success) {
      let left = try OpenFileCountTests.leftOpen { path in
        try Files.makeDirectory(path)
        try Files.makeDirectory(path + "/below")
        _ = try Files.names(in: path)
        try Files.locked(path) { () throws(FileError) in }
        try Files.rename(path + "/below", to: path + "/renamed")
        try Files.removeTree(path)
      }
      #expect(left < 10)
    }
  }

  @Test func nothingStaysOpenAfterAnError() async {
    await #expect(processExitsWith: .success) {
      let left = try OpenFileCountTests.leftOpen { path in
        try Files.makeDirectory(path)
        #expect(throws: FileError.self) { try FileReader(path: path) }
        #expect(throws: FileError.self) { try Files.contents(of: path, limit: 1) }
        #expect(throws: FileError.self) { try Files.contents(of: "/dev/zero", limit: 1) }
        try FileWriter(creating: path + "/file").write([1, 2, 3])
        #expect(throws: FileError.self) { try Files.contents(of: path + "/file", limit: 2) }
      }
      #expect(left < 10)
    }
  }
}
