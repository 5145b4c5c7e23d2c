import JSON
import TestSupport
import Testing
import Threading

@testable import VCX

@Suite struct ErrorTests {
  @Test func everyCodeHasATextOfItsOwn() {
    #expect(ErrorCode.allCases.count == 99)
    #expect(Set(ErrorCode.allCases.map(\.text)).count == 99)
    for code in ErrorCode.allCases { #expect(message(code.rawValue) == code.text) }
  }

  @Test(
    arguments: [
      (0, "Success"), (1005, "Object not ready for specified action"), (1079, "Wallet Not Found"),
      (1015, "Invalid Credential Issuer Handle"), (1016, "Invalid JSON string"),
      (1036, "Credential Def not in valid json"), (1037, "Invalid Credential Definition handle"),
      (1001, "Unknown Error"), (1002, "Unknown Error"), (1, "Unknown Error"), (UInt32.max, "Unknown Error"),
    ] as [(UInt32, String)])
  func textsThatProgramsCompare(code: UInt32, text: String) {
    #expect(message(code) == text)
  }

  @Test func theCurrentErrorHasFourMembers() throws {
    _ = record(VCXError(.walletNotFound, "a \"quoted\" detail"))
    let text = try #require(currentError())
    #expect(
      text == #"{"backtrace":null,"cause":"a \"quoted\" detail","error":"Wallet Not Found","#
        + #""message":"Error: Wallet Not Found\n  Caused by: a \"quoted\" detail\n"}"#)
    #expect(try JSON(parsing: text)["backtrace"] == .null)
    #expect(try JSONReference("Current error").differences(from: JSON(parsing: text)) == [])
  }

  @Test func successLeavesTheCurrentError() {
    _ = record(VCXError(.notReady, "first"))
    let before = currentError()
    #expect(vcx_connection_release(4711) == 0)
    #expect(currentError() == before)
    #expect(vcx_update_institution_info(nil, nil) == 1007)
    #expect(currentError() != before)
  }

  @Test func theCurrentErrorBelongsToItsThread() async {
    let threads = Threads(limit: 2)
    let seen = await withCheckedContinuation { continuation in
      threads.post {
        let before = currentError()
        _ = record(VCXError(.notReady, "of the other thread"))
        continuation.resume(returning: before)
      }
    }
    #expect(seen == nil)
    // Not a word about this test's own thread after the await: it may be another one.
  }

  @Test func nowhereToWriteTheErrorIsNoCrash() {
    vcx_get_current_error(nil)
  }

  private func message(_ code: UInt32) -> String? {
    vcx_error_c_message(code).map { String(cString: $0) }
  }
}
