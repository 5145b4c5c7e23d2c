import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import MSDK
@testable import VCX

/// Functions on an open wallet without a Cloud Agent and without registries, and functions without a session.
@Suite(.theAgent) struct LocalFunctionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func running(_ members: [String: JSON] = [:], _ body: () async throws -> Void) async throws {
    let config: JSON = [
      "wallet_name": "alice", "wallet_key": .string(SessionFunctionTests.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "institution_did": "did:sov:V4SGRU86Z58d6TV7PBUe6f",
    ]
    let settings = try Settings(parsing: config.with(members).text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
    defer { Agent.standard.stop(deletingWallet: false) }
    try await body()
  }

  private func text(_ call: (UInt32) -> vcx_error_t) async throws -> String {
    let delivery = try #require(await strings.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
    return try #require(delivery.value)
  }

  private func restored(_ name: String, _ deserialize: (UInt32, CString?, vcx_number_cb?) -> vcx_error_t) async throws
    -> UInt32
  {
    let text = try Fixtures.json("exchanges/\(name).json").text
    return try #require(await numbers.call { deserialize($0, text, numberCallback) }.delivery?.value)
  }

  // MARK: searches

  private func searching() async throws -> Int32 {
    for id in ["1", "2", "3"] {
      _ = try #require(await done.call { vcx_wallet_add_record($0, "t", id, "v", "{}", doneCallback) }.delivery)
    }
    return try #require(
      await searchHandles.call { vcx_wallet_open_search($0, "t", "{}", "{}", searchCallback) }.delivery?.value)
  }

  @Test(arguments: [UInt.max, UInt(Int.max) + 1, 3]) func aSearchGivesAllItHasIfItIsAskedForMore(count: UInt)
    async throws
  {
    try await running {
      let search = try await searching()
      let found = try await text { vcx_wallet_search_next_records($0, search, count, stringCallback) }
      #expect(try JSON(parsing: found)["records"]?.array?.count == 3)
    }
  }

  /// Both are called before the first has its turn.
  @Test func ofTwoThatCloseASearchOneSucceeds() async throws {
    try await running {
      let search = try await searching()
      let isFree = Monitor(false)
      try #require(searches[UInt32(bitPattern: search)]).lane.post { _ in
        isFree.wait { $0 ? () : nil }
        return {}
      }
      #expect(vcx_wallet_close_search(1, search, { _, error in closings.withLock { $0.append(error) } }) == 0)
      #expect(vcx_wallet_close_search(2, search, { _, error in closings.withLock { $0.append(error) } }) == 0)
      isFree.withLock { $0 = true }
      #expect(closings.wait { $0.count == 2 ? $0.sorted() : nil } == [0, 1057])
    }
  }

  // MARK: registries

  @Test func withoutARegistryNothingIsPublishedOrFound() async throws {
    try await running {
      let made = await numbers.call {
        vcx_schema_create($0, "s", "degree", "1.0", #"["name","age"]"#, 0, numberCallback)
      }
      #expect(made.delivery?.error == 1030 && made.delivery?.value == 0)
      let id = "V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0"
      let fetched = await pairs.call { vcx_schema_get_attributes($0, "s", id, pairCallback) }
      #expect(fetched.delivery?.error == 1040 && fetched.delivery?.value.text == nil)
    }
  }

  /// Registries other than Indy's have DIDs of their own, which stay as they are.
  @Test func anIssuerMayHaveADIDOfAnyMethod() async throws {
    let (id, did) = ("did:web:issuer.example/definitions/1", "did:web:issuer.example")
    let made = await numbers.call { vcx_credentialdef_create_with_id($0, "d", id, did, nil, numberCallback) }
    let handle = try #require(made.delivery?.value)
    let stored = try JSON(parsing: await text { vcx_credentialdef_serialize($0, handle, stringCallback) })
    #expect(stored["data"]?["issuer_did"] == .string(did))
  }

  // MARK: forms

  @Test(arguments: ["3.0", "4.0"]) func theCredentialsForARequestHaveTheFormOfTheProtocolType(type: String) async throws
  {
    try await running(["protocol_type": .string(type)]) {
      let proof = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
      let found = try await text { vcx_disclosed_proof_retrieve_credentials($0, proof, stringCallback) }
      #expect((try JSON(parsing: found)["predicates"] != nil) == (type == "4.0"), "\(found)")
    }
  }

  /// No session tells the protocol type.
  @Test func withoutASessionTheFormIsTheFormOfAries() async throws {
    let finished = try await restored("holder-finished", vcx_credential_deserialize)
    let credential = try JSON(parsing: await text { vcx_get_credential($0, finished, stringCallback) })
    #expect(credential["@id"] != nil && credential["credential_id"] == nil)
    let prepared = try await restored("prover-prepared", vcx_disclosed_proof_deserialize)
    let proof = try JSON(parsing: await text { vcx_disclosed_proof_get_proof_msg($0, prepared, stringCallback) })
    #expect(proof["@id"] != nil && proof["libindy_proof"] == nil)
    let verified = try await restored("verifier-verified", vcx_proof_deserialize)
    let result = try #require(await pairs.call { vcx_get_proof_msg($0, verified, pairCallback) }.delivery)
    #expect(result.error == 0 && result.value.text?.contains("libindy_proof") == false)
  }

  @Test func anOfferThatIsAcceptedInOneCallIsRead() async throws {
    try await running {
      let accepted = await pairs.call { vcx_credential_accept_credential_offer($0, "d", "{}", 0, pairCallback) }
      #expect(accepted.delivery?.error == 1043 && accepted.delivery?.value.text == nil)
    }
  }
}

// C callbacks capture nothing: this is for the one test that closes twice.
private let closings = Monitor<[UInt32]>([])
