import TestSupport
import Testing

@testable import VCX

/// Operations that wait for servers which never answer.
@Suite(.theAgent) struct NetworkThreadTests {
  @Test func workWithoutTheNetworkGoesOnMeanwhile() throws {
    let listener = try SilentListener()
    let url = listener.endpoint
    let silent = (0..<150).map { _ in strings.started { vcx_resolve_message_by_url($0, url, stringCallback) } }
    // As many again as the library has threads of each kind. None of them waits behind those above.
    for number in 0..<128 {
      let call = strings.started { vcx_extract_thread_id($0, #"{"@id":"\#(number)"}"#, stringCallback) }
      #expect(call.end().delivery?.value == "\(number)")
    }
    #expect(silent.allSatisfy { $0.ending == nil })
    listener.close()
    #expect(silent.allSatisfy { $0.end().delivery?.value == nil })
  }
}
