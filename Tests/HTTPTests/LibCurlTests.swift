import DynamicLibrary
import Testing

@testable import HTTP

@Suite struct LibCurlTests {
  @Test func itIsOpenedOnce() throws {
    #expect(try LibCurl.open() === LibCurl.open())
  }

  @Test func aLibraryThatIsMissingOrAnotherOneIsRefusedWithTheReason() {
    let missing = #expect(throws: DynamicLibraryError.self) { try LibCurl(at: "/missing/libcurl.so.4") }
    #expect(missing.map { "\($0)".contains("/missing/libcurl.so.4") } ?? false)
    #expect(throws: DynamicLibraryError.noFunction("curl_easy_init", in: "libm.so.6")) { try LibCurl(at: "libm.so.6") }
  }
}
