import CMSDK
import Testing

/// The generated header as Swift imports it, against the built library.
@Suite struct HeaderTests {
  @Test func theLibraryIsTheOneOfTheHeader() {
    #expect(String(cString: vcx_version()).hasPrefix(MSDK_VERSION + "+"))
  }

  @Test(arguments: [(VCX_SUCCESS, "Success"), (VCX_WALLET_NOT_FOUND, "Wallet Not Found")])
  func codesOfTheHeaderHaveTexts(code: vcx_error_code, text: String) {
    #expect(String(cString: vcx_error_c_message(code.rawValue)) == text)
  }

  @Test func anErrorIsToldInDetail() {
    #expect(vcx_set_log_max_lvl(6) == VCX_INVALID_OPTION.rawValue)
    var json: UnsafePointer<CChar>?
    vcx_get_current_error(&json)
    let text = json.map { String(cString: $0) } ?? ""
    #expect(text.contains("\"error\":\"An argument is missing or malformed\""))
    #expect(text.contains("\"backtrace\":null"))
  }

  @Test func anOperationCallsBackWithItsCommandHandle() async {
    let received = await withCheckedContinuation { continuation in
      waiting.continuation = continuation
      let code = vcx_wallet_validate_payment_address(41, "address") { command, error in
        waiting.continuation?.resume(returning: [command, error])
      }
      #expect(code == VCX_SUCCESS.rawValue)
    }
    #expect(received == [41, 0])
  }

  @Test func aRefusedCallDoesNotCallBack() {
    let code = vcx_connection_create_with_invite(1, nil, "{}") { _, _, _ in Issue.record("called back") }
    #expect(code == VCX_INVALID_OPTION.rawValue)
  }

  @Test func bytesAndFlagsHaveTheirTypes() {
    let bytes: [UInt8] = [1, 2, 3]
    let code = vcx_connection_verify_signature(1, 1, bytes, 3, bytes, 0) { _, _, answer in
      Issue.record("called back with \(answer)")
    }
    #expect(code == VCX_INVALID_OPTION.rawValue)
  }
}

/// A C callback captures nothing. Set by the one test that waits, before the call.
private enum waiting {
  nonisolated(unsafe) static var continuation: CheckedContinuation<[UInt32], Never>?
}
