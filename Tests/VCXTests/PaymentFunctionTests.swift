import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK
@testable import VCX

/// The functions about payments, and the envelopes of a program's own.
@Suite struct PaymentFunctionTests {
  @Test func aPaymentNeedsAMethod() async {
    let (message, signature): ([UInt8], [UInt8]) = ([1, 2], [3])
    for ending in [
      await strings.call { vcx_wallet_get_token_info($0, 0, stringCallback) },
      await strings.call { vcx_wallet_create_payment_address($0, nil, stringCallback) },
      await strings.call { vcx_wallet_send_tokens($0, 0, "1", "pay:sov:x", stringCallback) },
    ] {
      #expect(ending.delivery?.error == 1087 && ending.delivery?.value == "")
    }
    let fees = await strings.call { vcx_ledger_get_fees($0, stringCallback) }
    #expect(fees.delivery?.error == 1087 && fees.delivery?.value == nil as String?)
    let signed = await byteArrays.call { vcx_wallet_sign_with_address($0, "pay:sov:x", message, 2, bytesCallback) }
    #expect(signed.delivery?.error == 1087)
    let verified = await answers.call {
      vcx_wallet_verify_with_address($0, "pay:sov:x", message, 2, signature, 1, answerCallback)
    }
    #expect(verified.delivery?.error == 1087)
    let refused = await byteArrays.call { vcx_wallet_sign_with_address($0, nil, message, 2, bytesCallback) }
    #expect(refused.refusal == 1007)
  }

  @Test func anUnknownCredentialHasNoPrice() async {
    let price = await strings.call { vcx_credential_get_payment_info($0, 4_000_000, stringCallback) }
    #expect(price.delivery?.error == 1053)
    let payment = await strings.call { vcx_credential_get_payment_txn($0, 4_000_000, stringCallback) }
    #expect(payment.delivery?.error == 1053)
  }

  private func restored(
    _ text: String, _ deserialize: (UInt32, CString?, vcx_number_cb?) -> vcx_error_t
  ) async throws -> UInt32 {
    try #require(await numbers.call { deserialize($0, text, numberCallback) }.delivery?.value)
  }

  @Test func nothingWasPaidForAnyObject() async throws {
    let published = try Fixtures.json("issuer/public_objects.json")
    let issued = try #require(Fixtures.json("issuer/issuer_states.json")["states"]?["1 Initial"]).text
    let offered = try Fixtures.json("exchanges/holder-offered.json").text
    let credential = try await restored(offered, vcx_credential_deserialize)
    let schema = try await restored(#require(published["schema"]).text, vcx_schema_deserialize)
    let definition = try await restored(#require(published["credentialdef"]).text, vcx_credentialdef_deserialize)
    let issuer = try await restored(issued, vcx_issuer_credential_deserialize)
    let price = await strings.call { vcx_credential_get_payment_info($0, credential, stringCallback) }
    #expect(price.delivery?.error == 0 && price.delivery?.value == "{}")
    for (handle, code, payment) in [
      (credential, 1103, vcx_credential_get_payment_txn), (issuer, 1103, vcx_issuer_credential_get_payment_txn),
      (schema, 1071, vcx_schema_get_payment_txn), (definition, 1071, vcx_credentialdef_get_payment_txn),
    ] as [(UInt32, UInt32, (UInt32, UInt32, vcx_string_cb?) -> vcx_error_t)] {
      let ending = await strings.call { payment($0, handle, stringCallback) }
      #expect(ending.delivery?.error == code && ending.delivery?.value == nil as String?)
    }
  }

  @Test func aSeedIsUTF8() async {
    let address = await strings.call { vcx_wallet_create_payment_address($0, notUTF8, stringCallback) }
    #expect(address.refusal == 1007)
  }

  @Test(.theAgent) func anEnvelopeNeedsAnOpenWallet() async {
    let packed = await byteArrays.call { vcx_pack_message($0, 0, [1], 1, "[]", nil, bytesCallback) }
    #expect(packed.delivery?.error == 1057)
  }
}
