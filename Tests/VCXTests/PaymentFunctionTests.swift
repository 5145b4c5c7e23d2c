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

  @Test(.theAgent) func anEnvelopeNeedsAnOpenWallet() async {
    let packed = await byteArrays.call { vcx_pack_message($0, 0, [1], 1, "[]", nil, bytesCallback) }
    #expect(packed.delivery?.error == 1057)
  }
}
