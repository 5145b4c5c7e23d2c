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

  private func running(_ body: () async throws -> Void) async throws {
    let config: JSON = [
      "wallet_name": "alice", "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "institution_did": "did:sov:V4SGRU86Z58d6TV7PBUe6f",
    ]
    let settings = try Settings(parsing: config.text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
    defer { Agent.standard.stop(deletingWallet: false) }
    try await body()
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
  @Test func callbacksOfDefinitionsMayWaitForOtherDefinitions() async throws {
    try await running {
      async let first = numbers.call { Self.create($0, Self.outerCallback) }
      async let second = numbers.call { Self.create($0, Self.outerCallback) }
      let endings = await [first, second]
      #expect(endings.allSatisfy { $0.delivery.map { $0.error != 0 && $0.currentError != nil } == true })
    }
  }

  /// The deletion of a credential closes a mailbox at the agency. It waits where other calls to the network wait.
  @Test func aDeletionKeepsNoThreadOfTheWallet() async throws {
    let release = DispatchSemaphore(value: 0)
    let (count, ended) = (64, Locked(false))
    for _ in 0..<count { Threads.network.post { release.wait() } }
    try await running {
      let text = try Fixtures.json("exchanges/holder-offered.json").text
      let restored = await numbers.call { vcx_credential_deserialize($0, text, numberCallback) }
      let handle = try #require(restored.delivery?.value)
      async let deleted = Self.delete(handle, ended)
      for number in 0..<100 {
        let ending = await strings.call { vcx_extract_thread_id($0, #"{"@id":"\#(number)"}"#, stringCallback) }
        #expect(ending.delivery?.value == "\(number)")
      }
      #expect(!ended.withLock { $0 })
      for _ in 0..<count { release.signal() }
      #expect(await deleted.delivery?.error == 1005)
    }
  }

  private static func delete(_ handle: UInt32, _ ended: Locked<Bool>) async -> Ending<Bool> {
    let ending = await done.call { vcx_delete_credential($0, handle, doneCallback) }
    ended.withLock { $0 = true }
    return ending
  }
}
