import TestSupport
import Testing

@testable import MSDK
@testable import VCX

/// The functions about ledgers, without a ledger; the exchanges are tested against other programs.
@Suite(.theAgent) struct LedgerFunctionTests {
  @Test func anAcceptanceNamesTheAgreementAndTheTime() {
    #expect(vcx_set_active_txn_author_agreement_meta("text", nil, nil, "on_file", 1) == 1007)
    #expect(vcx_set_active_txn_author_agreement_meta(nil, nil, nil, "on_file", 1) == 1007)
    #expect(vcx_set_active_txn_author_agreement_meta("text", "1.0", "12", "on_file", 1) == 1007)
    #expect(vcx_set_active_txn_author_agreement_meta("text", "1.0", nil, nil, 1) == 1007)
    #expect(vcx_set_active_txn_author_agreement_meta("text", "1.0", nil, "on_file", .max) == 1007)
    #expect(Agent.standard.acceptedAgreement == nil)
    #expect(vcx_set_active_txn_author_agreement_meta("text", "1.0", "", "on_file", 1_795_298_125) == 0)
    #expect(Agent.standard.acceptedAgreement != nil)
    Agent.standard.stop(deletingWallet: false)
    #expect(Agent.standard.acceptedAgreement == nil)
  }

  @Test func theAgreementNeedsASession() async {
    let read = await strings.call { vcx_get_ledger_author_agreement($0, stringCallback) }
    #expect(read.delivery?.error == 1004)
  }
}
