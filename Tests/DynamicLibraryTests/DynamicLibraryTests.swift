import DynamicLibrary
import Foundation
import TestSupport
import Testing

@Suite struct DynamicLibraryTests {
  private typealias Length = @convention(c) (UnsafePointer<CChar>) -> Int

  @Test func theSystemFindsALibraryByItsName() throws {
    let library = try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_NO_SUCH_VARIABLE")
    let length: Length = try library.function("strlen")
    #expect(length("four") == 4)
    #expect(library.path == "libc.so.6")
  }

  @Test func aFunctionThatIsNotThereIsNamed() throws {
    let library = try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_NO_SUCH_VARIABLE")
    #expect(throws: DynamicLibraryError.noFunction("no_such_function", in: "libc.so.6")) {
      let _: Length = try library.function("no_such_function")
    }
  }

  @Test func thePathOfTheCallerIsTheOnlyOne() {
    let error = #expect(throws: DynamicLibraryError.self) {
      try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_NO_SUCH_VARIABLE", path: "/nowhere/libc.so.6")
    }
    #expect(error?.description.contains("/nowhere/libc.so.6") == true)
  }

  @Test func theEnvironmentNamesAPath() {
    setenv("MSDK_TEST_LIBRARY", "/elsewhere/libc.so.6", 1)
    let error = #expect(throws: DynamicLibraryError.self) {
      try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_LIBRARY")
    }
    #expect(error?.description.contains("/elsewhere/libc.so.6") == true)
  }

  @Test func anEmptyVariableNamesNoPath() throws {
    setenv("MSDK_TEST_EMPTY_LIBRARY", "", 1)
    #expect(try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_EMPTY_LIBRARY").path == "libc.so.6")
    #expect(try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_EMPTY_LIBRARY", path: "").path == "libc.so.6")
  }

  @Test func thePathOfTheCallerComesBeforeTheEnvironment() {
    setenv("MSDK_TEST_OTHER_LIBRARY", "/elsewhere/libc.so.6", 1)
    let error = #expect(throws: DynamicLibraryError.self) {
      try DynamicLibrary("libc.so.6", variable: "MSDK_TEST_OTHER_LIBRARY", path: "/nowhere/libc.so.6")
    }
    #expect(error?.description.contains("/nowhere/libc.so.6") == true)
    #expect(error?.description.contains("/elsewhere") == false)
  }

  @Test func theErrorTellsTheReasonOfEachPlace() {
    #expect(DynamicLibraryError.notOpened(["one", "two"]).description == "one; two")
    #expect(DynamicLibraryError.notOpened([]).description == "")
  }

  @Test func aLibraryBesideTheProgramComesBeforeTheSystems() throws {
    let folder = try #require(BuiltProducts.folder)
    let name = "libmsdk-test-\(UUID().uuidString).so"
    let file = URL(filePath: folder).appending(path: name)
    try Data("no library".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    guard
      case .notOpened(let reasons)? =
        (#expect(throws: DynamicLibraryError.self) {
          try DynamicLibrary(name, variable: "MSDK_TEST_NO_SUCH_VARIABLE")
        })
    else { return }
    #expect(reasons.count == 2, "beside the program, and by the system")
    #expect(reasons.first?.contains("\(file.path()): ") == true)
  }

  @Test func aLibraryIsOpenedOnceAndAFailureIsKept() {
    let opened = OpenedOnce<Int, DynamicLibraryError>()
    #expect(throws: DynamicLibraryError.notOpened(["first"])) {
      try opened.at("a") { () throws(DynamicLibraryError) in throw .notOpened(["first"]) }
    }
    #expect(throws: DynamicLibraryError.notOpened(["first"])) {
      try opened.at("a") { () throws(DynamicLibraryError) in 1 }
    }
    #expect((try? opened.at(nil) { () throws(DynamicLibraryError) in 2 }) == 2)
    #expect((try? opened.at(nil) { () throws(DynamicLibraryError) in 3 }) == 2)
    #expect((try? opened.at("b") { () throws(DynamicLibraryError) in 4 }) == 4, "another path, another library")
    #expect((try? opened.at("b") { () throws(DynamicLibraryError) in 5 }) == 4)
  }
}
