import Foundation
import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials
@testable import MSDK
@testable import VCX

/// Callbacks that wait for another call, and work that waits for the network.
@Suite(.theAgent) struct WaitingCallbackTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func running(_ body: () throws -> Void) throws {
    let config: JSON = [
      "wallet_name": "alice", "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "institution_did": "did:sov:V4SGRU86Z58d6TV7PBUe6f",
    ]
    let settings = try Settings(parsing: config.text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
    defer { Agent.standard.stop(deletingWallet: false) }
    try body()
  }

  private static let inner = DispatchSemaphore(value: 0)
  private static let innerCallback: vcx_number_cb = { _, _, _ in inner.signal() }

  private static let outerCallback: vcx_number_cb = { handle, error, number in
    #expect(WaitingCallbackTests.create(1, WaitingCallbackTests.innerCallback) == 0)
    WaitingCallbackTests.inner.wait()
    numbers.receive(handle, error, number)
  }

  private static func create(_ handle: UInt32, _ callback: @escaping vcx_number_cb) -> vcx_error_t {
    vcx_credentialdef_create(handle, "s", "n", "no:such:schema", nil, "t", "{}", 0, callback)
  }

  /// As many callbacks as there are threads that make keys wait for one more call each.
  @Test func callbacksOfDefinitionsMayWaitForOtherDefinitions() throws {
    try running {
      let calls = (0..<2).map { _ in numbers.started { Self.create($0, Self.outerCallback) } }
      #expect(calls.allSatisfy { $0.end().delivery.map { $0.error != 0 && $0.currentError != nil } == true })
    }
  }

  /// The deletion of a credential closes a mailbox at the agency. It waits where other calls to the network wait.
  @Test func aDeletionKeepsNoThreadOfTheWallet() throws {
    let release = DispatchSemaphore(value: 0)
    let free = { for _ in 0..<64 { release.signal() } }
    for _ in 0..<64 { Threads.network.post { release.wait() } }
    // A test that fails keeps no thread. More signals than waits do no harm.
    defer { free() }
    try running {
      let text = try Fixtures.json("exchanges/holder-offered.json").text
      let restored = numbers.started { vcx_credential_deserialize($0, text, numberCallback) }
      let handle = try #require(restored.end().delivery?.value)
      let deletion = done.started { vcx_delete_credential($0, handle, doneCallback) }
      for number in 0..<100 {
        let call = strings.started { vcx_extract_thread_id($0, #"{"@id":"\#(number)"}"#, stringCallback) }
        #expect(call.end().delivery?.value == "\(number)")
      }
      #expect(deletion.ending == nil)
      free()
      #expect(deletion.end().delivery?.error == 1005)
    }
  }
}
