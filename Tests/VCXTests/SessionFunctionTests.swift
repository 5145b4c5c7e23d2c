import AgencyServer
import JSON
import Registry
import TestSupport
import Testing
import Wallet

@testable import MSDK
@testable import VCX

/// Functions on the wallet and the objects of a session that has no Cloud Agent.
@Suite(.theAgent) struct SessionFunctionTests {
  static let key = "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca"
  static let otherKey = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func config(_ members: [String: JSON] = [:]) -> JSON {
    let config: JSON = [
      "wallet_name": "alice", "wallet_key": .string(Self.key), "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path)], "institution_did": "did:sov:V4SGRU86Z58d6TV7PBUe6f",
    ]
    return config.with(members)
  }

  /// Runs a session with these members in its configuration.
  private func running(_ members: [String: JSON] = [:], _ body: () async throws -> Void) async throws {
    let settings = try Settings(parsing: config(members).text)
    try Wallet.makeUnlessPresent(settings.wallet)
    try Agent.standard.start(settings)
    defer { Agent.standard.stop(deletingWallet: false) }
    try await body()
  }

  private func finish(_ call: (UInt32) -> vcx_error_t) async throws {
    let delivery = try #require(await done.call(call).delivery)
    #expect(delivery.error == 0, "\(delivery.currentError ?? "")")
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

  // MARK: records

  @Test func tagsAreAddedReplacedAndDeleted() async throws {
    try await running {
      let tags = { () async throws -> JSON? in
        let record = try await text { vcx_wallet_get_record($0, "t", "i", #"{"retrieveTags":true}"#, stringCallback) }
        return try JSON(parsing: record)["tags"]
      }
      try await finish { vcx_wallet_add_record($0, "t", "i", "v", #"{"a":"1","b":"2"}"#, doneCallback) }
      try await finish { vcx_wallet_add_record_tags($0, "t", "i", #"{"b":"3","c":"4"}"#, doneCallback) }
      #expect(try await tags() == ["a": "1", "b": "3", "c": "4"])
      try await finish { vcx_wallet_delete_record_tags($0, "t", "i", #"["a"]"#, doneCallback) }
      #expect(try await tags() == ["b": "3", "c": "4"])
      try await finish { vcx_wallet_update_record_tags($0, "t", "i", #"{"d":"5"}"#, doneCallback) }
      #expect(try await tags() == ["d": "5"])
      try await finish { vcx_wallet_update_record_value($0, "t", "i", "w", doneCallback) }
      let record = try JSON(parsing: await text { vcx_wallet_get_record($0, "t", "i", "{}", stringCallback) })
      #expect(record["value"] == "w")
      let absent = await strings.call { vcx_wallet_get_record($0, "t", "j", "{}", stringCallback) }
      #expect(absent.delivery?.error == 1073 && absent.delivery?.value == "")
    }
  }

  @Test func aSearchGivesSoManyRecordsAndIsClosedOnce() async throws {
    try await running {
      for id in ["1", "2", "3"] { try await finish { vcx_wallet_add_record($0, "t", id, "v", "{}", doneCallback) } }
      try await finish { vcx_wallet_add_record($0, "other", "4", "v", "{}", doneCallback) }
      let opened = await searchHandles.call { vcx_wallet_open_search($0, "t", "{}", "{}", searchCallback) }
      let search = try #require(opened.delivery?.value)
      for (count, expected) in [(2, ["1", "2"]), (5, ["3"])] as [(UInt, [JSON])] {
        let found = try await text { vcx_wallet_search_next_records($0, search, count, stringCallback) }
        #expect(try JSON(parsing: found)["records"]?.array?.map { $0["id"] } == expected)
      }
      try await finish { vcx_wallet_close_search($0, search, doneCallback) }
      let again = await done.call { vcx_wallet_close_search($0, search, doneCallback) }
      #expect(again.delivery?.error == 1057)
    }
  }

  // MARK: the wallet's key and its copies

  @Test(arguments: [("RAW", otherKey), (nil, "a passphrase")]) func aNewKeyHasItsDerivation(
    derivation: String?, key: String
  ) async throws {
    try await running { try await finish { msdk_wallet_rekey($0, key, derivation, doneCallback) } }
    try await running(["wallet_key": .string(key), "wallet_key_derivation": .string(derivation ?? "ARGON2I_MOD")]) {
      let wrong = await done.call { msdk_wallet_rekey($0, Self.key, "MD5", doneCallback) }
      #expect(wrong.refusal == 1007)
    }
  }

  @Test func anExportedWalletIsImportedUnderAnotherName() async throws {
    let path = folder.path + "/export"
    try await running {
      try await finish { vcx_wallet_add_record($0, "t", "i", "v", "{}", doneCallback) }
      try await finish { vcx_wallet_export($0, path, "the key of the export", doneCallback) }
    }
    let other = config([
      "wallet_name": "bob", "exported_wallet_path": .string(path), "backup_key": "the key of the export",
    ])
    try await finish { vcx_wallet_import($0, other.text, doneCallback) }
    try await running(["wallet_name": "bob"]) {
      _ = try await text { vcx_wallet_get_record($0, "t", "i", "{}", stringCallback) }
    }
  }

  @Test func anExportThatFailsNamesItsFile() async throws {
    try await running {
      let path = "/dev/null/export"
      let failed = await done.call { vcx_wallet_export($0, path, "the key of the export", doneCallback) }
      #expect(failed.delivery?.error == 1074 && failed.delivery?.currentError?.contains(path) == true)
    }
  }

  // MARK: the institution

  @Test func theInstitutionIsShownByNameAndPicture() async throws {
    try await running {
      #expect(vcx_update_institution_info("Faber", "http://logo.example") == 0)
      let profile = try Agent.standard.running().profile
      #expect(profile == Profile(name: "Faber", logoURL: "http://logo.example"))
    }
  }

  @Test func theAcceptanceNamesTheTextAndItsVersion() async throws {
    try await running {
      #expect(vcx_set_active_txn_author_agreement_meta("the text", "1.0", nil, "on_file", 1_795_298_125) == 0)
      let expected = try AgreementAcceptance(
        text: "the text", version: "1.0", digest: nil, mechanism: "on_file", time: 1_795_298_125)
      #expect(Agent.standard.acceptedAgreement == expected)
    }
  }

  /// Ledgers know the DID without its method.
  @Test func theInstitutionIssuesUnlessAnIssuerIsNamed() async throws {
    let id = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1"
    try await running {
      for (issuer, expected) in [(nil, "V4SGRU86Z58d6TV7PBUe6f"), ("Th7MpTaRZVRYnPiabds81Y", "Th7MpTaRZVRYnPiabds81Y")]
        as [(String?, JSON)]
      {
        let made = await numbers.call { vcx_credentialdef_create_with_id($0, "d", id, issuer, nil, numberCallback) }
        let handle = try #require(made.delivery?.value)
        let stored = try await text { vcx_credentialdef_serialize($0, handle, stringCallback) }
        #expect(try JSON(parsing: stored)["data"]?["issuer_did"] == expected)
      }
    }
    let refused = await numbers.call { vcx_credentialdef_create_with_id($0, "d", id, nil, nil, numberCallback) }
    #expect(refused.refusal == 1004)
  }

  /// A link comes from a stranger's QR code.
  @Test func linksAreFetchedAsTheConfigurationPermits() async throws {
    let server = try AgencyServer(dataFolder: folder.path + "/agency")
    defer { server.stop() }
    let secure = server.endpoint.replacing("http://", with: "https://")
    for (members, url, reason) in [
      (["public_endpoints_only": true], server.endpoint, "no public address"),
      (["ca_file": "/dev/null"], secure, "/dev/null"), ([:], server.endpoint, "HTTP 404"),
    ] as [([String: JSON], String, String)] {
      try await running(members) {
        let resolved = await strings.call { vcx_resolve_message_by_url($0, url, stringCallback) }
        #expect(resolved.delivery?.error == 1013 && resolved.delivery?.currentError?.contains(reason) == true)
      }
    }
  }

  // MARK: credentials and proofs

  @Test(arguments: ["3.0", "4.0"]) func aCredentialHasTheFormOfTheProtocolType(type: String) async throws {
    try await running(["protocol_type": .string(type)]) {
      let handle = try await restored("holder-finished", vcx_credential_deserialize)
      let credential = try JSON(parsing: await text { vcx_get_credential($0, handle, stringCallback) })
      #expect((credential["credential_id"] != nil) == (type == "3.0") && (credential["@id"] != nil) == (type == "4.0"))
      let prepared = try await restored("prover-prepared", vcx_disclosed_proof_deserialize)
      let proof = try JSON(parsing: await text { vcx_disclosed_proof_get_proof_msg($0, prepared, stringCallback) })
      #expect((proof["libindy_proof"] != nil) == (type == "3.0") && (proof["@id"] != nil) == (type == "4.0"))
      let verified = try await restored("verifier-verified", vcx_proof_deserialize)
      let result = await pairs.call { vcx_get_proof_msg($0, verified, pairCallback) }
      #expect(result.delivery?.value.text?.contains("libindy_proof") == (type == "3.0"))
    }
  }

  /// Also if the wallet does not have it any more.
  @Test func aDeletedCredentialIsReleased() async throws {
    try await running {
      let handle = try await restored("holder-finished", vcx_credential_deserialize)
      let deleted = await done.call { vcx_delete_credential($0, handle, doneCallback) }
      #expect(deleted.delivery?.error == 1073)
      let gone = await numbers.call { vcx_credential_get_state($0, handle, numberCallback) }
      #expect(gone.delivery?.error == 1053)
    }
  }

  @Test func anOfferIsAcceptedOverTheGivenConnection() async throws {
    let offer = try #require(
      try Fixtures.json("exchanges/holder-finished.json")["data"]?["holder_sm"]?["state"]?["Finished"]?["offer"]
    ).text
    try await running {
      let made = await numbers.call { vcx_connection_create($0, "issuer", numberCallback) }
      let connection = try #require(made.delivery?.value)
      for (handle, code) in [(connection, 1112), (0, 1003), (4711, 1003)] as [(UInt32, UInt32)] {
        let accepted = await pairs.call {
          vcx_credential_accept_credential_offer($0, "degree", offer, handle, pairCallback)
        }
        #expect(accepted.delivery?.error == code && accepted.delivery?.value.text == nil)
      }
    }
  }

  /// The call succeeds, since the proof tells the verifier with the next one.
  @Test func theCauseOfAProofThatCannotBeMadeIsTheCurrentError() async throws {
    try await running {
      let handle = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
      let made = await done.call { vcx_disclosed_proof_generate_proof($0, handle, "no selection", "{}", doneCallback) }
      let delivery = try #require(made.delivery)
      #expect(delivery.error == 0)
      let error = try JSON(parsing: #require(delivery.currentError))
      #expect(error["error"] == .string(ErrorCode.invalidProofCredentialData.text))
      let report = try await text { vcx_disclosed_proof_get_problem_report($0, handle, stringCallback) }
      #expect(report != "null")
    }
  }

  @Test(arguments: [(nil, nil), ("no", #"{"attributes":[{"name":"degree"}]}"#)] as [(String?, String?)])
  func aRequestIsDeclinedForAReasonOrWithAProposal(reason: String?, proposal: String?) async throws {
    try await running {
      let handle = try await restored("prover-requested", vcx_disclosed_proof_deserialize)
      let declined = await done.call {
        vcx_disclosed_proof_decline_presentation_request($0, handle, 0, reason, proposal, doneCallback)
      }
      #expect(declined.delivery?.error == 1111)
      let state = await numbers.call { vcx_disclosed_proof_get_state($0, handle, numberCallback) }
      #expect(state.delivery?.value == 3)
    }
  }

  @Test func anInvitationHasItsGoalAndTheCodeOfTheGoal() async throws {
    let made = await numbers.call {
      vcx_connection_create_outofband($0, "bob", "p2p-messaging", "to talk", true, nil, numberCallback)
    }
    let handle = try #require(made.delivery?.value)
    let stored = try JSON(parsing: await text { vcx_connection_serialize($0, handle, stringCallback) })
    let meta = stored["state"]?["Inviter"]?["Initialized"]?["outofband_meta"]
    #expect(meta?["goal"] == "to talk" && meta?["goal_code"] == "p2p-messaging")
  }
}
