import Foundation
import Testing

@testable import DynamicLibrary

/// The path of this code, as the system has it.
@Suite struct MappedFileTests {
  @Test func aLineNamesTheFileOfItsAddresses() {
    let line = "55d0-55d8 r--p 00000000 08:01 1234                       /opt/a b/msdk\n"
    #expect(MappedFile(line)?.addresses == 0x55d0..<0x55d8 && MappedFile(line)?.path == "/opt/a b/msdk")
  }

  @Test(arguments: [
    "7ffc-7ffd rw-p 00000000 00:00 0          [stack]\n", "55d0-55d8 rw-p 00000000 00:00 0 \n", "",
    "55d8-55d0 r--p 00000000 08:01 1234 /msdk\n", "x-y r--p 00000000 08:01 1234 /msdk\n",
  ]) func memoryWithoutAFileHasNoPath(line: String) {
    #expect(MappedFile(line) == nil)
  }

  /// The caller of a program chooses `argv[0]`, which the loader gives as the program's name.
  @Test func thePathOfThisCodeIsAbsolute() throws {
    let path = try #require(pathOfThisCode())
    #expect(path.hasPrefix("/") && FileManager.default.fileExists(atPath: path))
  }

  @Test func aRelativePathInTheEnvironmentIsRefused() {
    setenv("MSDK_TEST_RELATIVE_LIBRARY", "./libc.so.6", 1)
    let error = #expect(throws: DynamicLibraryError.relativePath("./libc.so.6", in: "MSDK_TEST_RELATIVE_LIBRARY")) {
      try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_RELATIVE_LIBRARY")
    }
    #expect(error?.description == "MSDK_TEST_RELATIVE_LIBRARY must hold an absolute path, not ./libc.so.6")
  }

  @Test func aBareNameInTheEnvironmentIsLookedForByTheSystem() throws {
    setenv("MSDK_TEST_BARE_LIBRARY", "libm.so.6", 1)
    #expect(try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_BARE_LIBRARY").path == "libm.so.6")
  }
}
