import CMSDK
import CMSDKCalls
import Testing

/// Awaiting the callbacks of the built library.
@Suite struct CallTests {
  /// The query holds `{"thread":0}`.
  private let url = "http://x?c_i=eyJ0aHJlYWQiOjB9"

  @Test func resultsAreReturned() async throws {
    try await Call.done { vcx_wallet_validate_payment_address($0, "address", $1) }
    #expect(try await Call.text { vcx_resolve_message_by_url($0, url, $1) } == #"{"thread":0}"#)
    #expect(try await Call.number { vcx_connection_get_state($0, 12345, $1) } == 0)
  }

  @Test func anErrorInTheCallbackIsThrown() async {
    let error = await #expect(throws: MSDKError.self) {
      try await Call.number { vcx_connection_update_state($0, 12345, $1) }
    }
    #expect(error?.code == VCX_INVALID_CONNECTION_HANDLE.rawValue)
    let text = String(cString: vcx_error_c_message(VCX_INVALID_CONNECTION_HANDLE.rawValue))
    #expect(error?.details.contains(text) == true)
  }

  @Test func aSearchWithoutAWalletIsThrown() async {
    let error = await #expect(throws: MSDKError.self) {
      try await Call.search { vcx_wallet_open_search($0, "letter", "{}", "{}", $1) }
    }
    #expect(error?.code == VCX_INVALID_WALLET_HANDLE.rawValue)
    #expect(error?.cause?.contains("not initialised") == true)
    #expect(error?.description.hasSuffix("not initialised (1057)") == true)
  }

  @Test func aRefusedCallIsThrown() async {
    let error = await #expect(throws: MSDKError.self) {
      try await Call.done { vcx_wallet_validate_payment_address($0, nil, $1) }
    }
    #expect(error?.code == VCX_INVALID_OPTION.rawValue)
  }

  @Test func manyWaitAtOnce() async throws {
    let texts = try await withThrowingTaskGroup(of: String?.self, returning: [String?].self) { group in
      for _ in 0..<500 {
        group.addTask { try await Call.text { vcx_resolve_message_by_url($0, url, $1) } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts == Array(repeating: #"{"thread":0}"#, count: 500))
  }
}
