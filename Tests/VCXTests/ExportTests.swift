import JSON
import Testing

@testable import VCX

/// The exported functions that need no SDK, and how the others answer without one. The arguments of all functions are
/// tested against the built library, in Tests/C.
@Suite struct ExportTests {
  @Test func releasesIgnoreUnknownHandles() {
    let releases = [
      vcx_connection_release, vcx_credential_release, vcx_disclosed_proof_release, vcx_issuer_credential_release,
      vcx_proof_release, vcx_schema_release, vcx_credentialdef_release,
    ]
    for release in releases { #expect(release(4711) == 0) }
  }

  @Test func keptStubsDoNothing() {
    #expect(vcx_issuer_get_credential_request(1, nil) == 0)
    #expect(vcx_issuer_accept_credential(1) == 0)
    #expect(vcx_issuer_terminate_credential(1, 2, nil) == 0)
    #expect(vcx_proof_accepted(1, nil) == 0)
    vcx_set_next_agency_response(3)
  }

  @Test(arguments: [#"{"pool_network_alias":"demo"}"#, #"{"indy_pool_networks":[{"pool_network_alias":"demo"}]}"#])
  func networksByAnAliasAreLeftOut(networks: String) async {
    let ending = await done.call { vcx_init_pool($0, networks, doneCallback) }
    #expect(ending.delivery?.error == 0)
  }

  @Test(arguments: [
    #"[{"genesis_path":"/none","namespace_list":["sov"]}]"#, #"{"genesis_transactions":"{}"}"#,
  ])
  func networksWithoutReadableTransactionsFail(networks: String) async {
    let ending = await done.call { vcx_init_pool($0, networks, doneCallback) }
    #expect(ending.delivery?.error == 1024)
  }

  @Test(
    arguments: [
      ("", 1007), ("{", 1004), ("1", 1004), ("{}", 1004), ("[]", 1004), ("[{}]", 1004),
      (#"{"indy_pool_networks":[]}"#, 1004),
    ] as [(String, UInt32)])
  func textsThatNameNoNetworkAreRefused(networks: String, code: UInt32) async {
    let ending = await done.call { vcx_init_pool($0, networks, doneCallback) }
    #expect(ending.refusal == code)
  }

  @Test func aConfigurationFileHasAPath() async {
    #expect(await done.call { vcx_init($0, "", doneCallback) }.refusal == 1007)
  }

  @Test func theCurrentErrorNamesTheArgument() throws {
    #expect(vcx_connection_create_with_invite(0, "id", nil, numberCallback) == 1007)
    let error = try JSON(parsing: try #require(currentError()))
    #expect(error["cause"]?.string == "the argument invite_details is NULL")
  }

  @Test func anyPaymentAddressIsWellFormed() async {
    let ending = await done.call { vcx_wallet_validate_payment_address($0, "pay:sov:x", doneCallback) }
    #expect(ending.delivery?.error == 0)
    let refused = await done.call { vcx_wallet_validate_payment_address($0, nil, doneCallback) }
    #expect(refused.refusal == 1007)
  }

  @Test func anUnimplementedFunctionChecksItsArgumentsFirst() async {
    let upgrade = await strings.call { vcx_connection_upgrade($0, 0, nil, stringCallback) }
    #expect(upgrade.refusal == 1103)
    #expect(currentError() != nil)
    let malformed = await strings.call { command in
      [CChar(bitPattern: 0xff), 0].withUnsafeBufferPointer {
        vcx_connection_upgrade(command, 0, $0.baseAddress, stringCallback)
      }
    }
    #expect(malformed.refusal == 1007)
    #expect(vcx_connection_upgrade(0, 0, nil, nil) == 1007)
  }
}
