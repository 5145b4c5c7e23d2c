import JSON
import TestSupport
import Testing

@testable import VCX

/// The state that comes with an error: programs store it, and go on with it.
@Suite(.theAgent) struct UpdatedStateTests {
  typealias Deserialize = @Sendable (UInt32, CString?, vcx_number_cb?) -> vcx_error_t
  typealias Update = @Sendable (UInt32, UInt32, vcx_number_cb?) -> vcx_error_t

  struct Kind: Sendable {
    let text: @Sendable () throws -> JSON
    let deserialize: Deserialize
    let updates: [Update]
    let state: UInt32
  }

  private static let message = #"{"@type":"https://didcomm.org/x/1.0/y","@id":"1"}"#

  static let kinds: [Kind] = [
    Kind(
      text: { try Fixtures.json("connections/completed.json") }, deserialize: vcx_connection_deserialize,
      updates: [
        vcx_connection_update_state, { vcx_connection_update_state_with_message($0, $1, message, $2) },
      ], state: 4),
    Kind(
      text: { try Fixtures.json("exchanges/holder-requested.json") }, deserialize: vcx_credential_deserialize,
      updates: [
        vcx_credential_update_state, { vcx_credential_update_state_with_message($0, $1, message, $2) },
      ], state: 2),
    Kind(
      text: { try Fixtures.json("exchanges/prover-sent.json") }, deserialize: vcx_disclosed_proof_deserialize,
      updates: [
        vcx_disclosed_proof_update_state, { vcx_disclosed_proof_update_state_with_message($0, $1, message, $2) },
      ], state: 2),
    Kind(
      text: { try Fixtures.json("exchanges/verifier-sent.json") }, deserialize: vcx_proof_deserialize,
      updates: [vcx_proof_update_state, { vcx_proof_update_state_with_message($0, $1, message, $2) }], state: 2),
    Kind(
      text: { try Fixtures.json("exchanges/issuer-offered.json") }, deserialize: vcx_issuer_credential_deserialize,
      updates: [
        vcx_issuer_credential_update_state, { vcx_issuer_credential_update_state_with_message($0, $1, message, $2) },
      ], state: 2),
    Kind(
      text: { try Fixtures.json("issuer/public_objects.json")["credentialdef"] ?? .null },
      deserialize: vcx_credentialdef_deserialize, updates: [vcx_credentialdef_update_state], state: 1),
  ]

  /// No session runs here, which every update needs.
  @Test(arguments: kinds.indices) func anUpdateThatFailsTellsTheStateAllTheSame(index: Int) async throws {
    let kind = Self.kinds[index]
    let text = try kind.text().text
    let made = await numbers.call { kind.deserialize($0, text, numberCallback) }
    let handle = try #require(made.delivery?.value)
    for update in kind.updates {
      let delivery = try #require(await numbers.call { update($0, handle, numberCallback) }.delivery)
      #expect(delivery.error == 1004 && delivery.value == kind.state)
    }
  }

  /// The number is that of the result, which is not the state's.
  @Test(
    arguments: [
      ("verifier-sent", 1005, 0), ("verifier-rejected", 1081, 3), ("verifier-verified", 0, 1),
      ("verifier-not-verified", 0, 2),
    ] as [(String, UInt32, UInt32)])
  func aProofTellsItsResult(name: String, error: UInt32, result: UInt32) async throws {
    let text = try Fixtures.json("exchanges/\(name).json").text
    let made = await numbers.call { vcx_proof_deserialize($0, text, numberCallback) }
    let handle = try #require(made.delivery?.value)
    for ending in [
      await pairs.call({ vcx_get_proof_msg($0, handle, pairCallback) }),
      await pairs.call({ vcx_get_proof($0, handle, 0, pairCallback) }),
    ] {
      let delivery = try #require(ending.delivery)
      #expect(delivery.error == error && delivery.value.number == result)
      #expect((delivery.value.text != nil) == (error == 0))
    }
  }
}
