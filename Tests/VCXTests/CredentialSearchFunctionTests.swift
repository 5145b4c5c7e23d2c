import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK
@testable import VCX

/// The functions that look into an open wallet, which needs no Cloud Agent.
@Suite(.theAgent) struct CredentialSearchFunctionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs with a wallet as libindy leaves it.
  private func running(_ body: () async throws -> Void) async throws {
    let config: JSON = [
      "wallet_name": "alice", "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)],
    ]
    let settings = try Settings(parsing: config.text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
    defer { Agent.standard.stop(deletingWallet: false) }
    let wallet = try Agent.standard.openWallet()
    let records = LibraryRecords(of: "Indy::Credential", in: wallet)
    for record in try Fixtures.json("anoncreds/wallet_records.json").requireArray() {
      let object = try record.requireObject()
      guard try object.string("type") == "Indy::Credential" else { continue }
      try wallet.make([
        records.putting(
          object.string("id"), value: (record["value"] ?? .null).text, tags: Tags(json: record["tags"] ?? .null))
      ])
    }
    try await body()
  }

  private func opened(_ query: String) async -> Delivery<Int32>? {
    await searchHandles.call { msdk_credentials_open_search($0, query, searchCallback) }.delivery
  }

  private func page(_ search: Int32, _ count: UInt) async -> Delivery<String?>? {
    await strings.call { msdk_credentials_search_next($0, search, count, stringCallback) }.delivery
  }

  @Test func credentialsComePageByPage() async throws {
    try await running {
      let search = try #require(await opened(#"{"schema_name":"degree"}"#)?.value)
      var ids: [JSON?] = []
      for _ in 0..<2 {
        let credentials = try JSON(parsing: #require(await page(search, 1)?.value ?? nil)).requireArray()
        ids += credentials.map { $0["referent"] }
        #expect(credentials.count == 1 && credentials[0]["attrs"]?["name"] == "Alice Andersen")
      }
      #expect(Set(ids.map { $0?.string }).count == 2)
      #expect(await page(search, 1)?.value == "[]")
      let closed = await done.call { msdk_credentials_close_search($0, search, doneCallback) }
      #expect(closed.delivery?.error == 0)
      #expect(await page(search, 1)?.error == 1057)
      let again = await done.call { msdk_credentials_close_search($0, search, doneCallback) }
      #expect(again.delivery?.error == 1057)
    }
  }

  @Test func aSearchForRecordsIsNoSearchForCredentials() async throws {
    try await running {
      let records = try #require(
        await searchHandles.call { vcx_wallet_open_search($0, "t", "{}", "{}", searchCallback) }.delivery?.value)
      #expect(await page(records, 1)?.error == 1057)
    }
  }

  @Test func anUnknownConditionIsRefused() async throws {
    try await running {
      let refused = try #require(await opened(#"{"schema":"x"}"#))
      #expect(refused.error == 1067 && refused.value == 0)
      let cause = try JSON(parsing: #require(refused.currentError))["cause"]?.string
      #expect(cause?.contains("schema") == true)
    }
  }

  @Test func aCredentialIsReadByItsID() async throws {
    try await running {
      let id = "5f3e2b0a-0000-4000-8000-000000000002"
      let read = await strings.call { msdk_credentials_get($0, id, stringCallback) }
      let credential = try JSON(parsing: #require(read.delivery?.value ?? nil))
      #expect(credential["referent"] == .string(id) && credential["cred_rev_id"] == "5")
      let missing = await strings.call { msdk_credentials_get($0, "none", stringCallback) }
      #expect(missing.delivery?.error == 1073)
    }
  }

  @Test func withoutAWalletThereIsNothingToSearch() async {
    #expect(await opened("{}")?.error == 1057)
    let read = await strings.call { msdk_credentials_get($0, "none", stringCallback) }
    #expect(read.delivery?.error == 1057)
  }

  /// The handles of a session end with it. The process is the test's own, since a shutdown takes the objects of all suites.
  @Test func aShutdownEndsTheSearches() async {
    await #expect(processExitsWith: .success) {
      let suite = try CredentialSearchFunctionTests()
      var search: Int32 = 0
      try await suite.running { search = try #require(await suite.opened("{}")?.value) }
      _ = vcx_shutdown(false)
      #expect(await suite.page(search, 1)?.error == 1057)
    }
  }
}
