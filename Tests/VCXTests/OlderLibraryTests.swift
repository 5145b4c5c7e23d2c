import JSON
import TestSupport
import Testing

@testable import MSDK
@testable import VCX

/// Functions of the vcx library in indy-sdk.
@Suite struct OlderLibraryTests {
  private func cause() -> String? {
    var error: CString?
    vcx_get_current_error(&error)
    return error.flatMap { try? JSON(parsing: String(cString: $0))["cause"]?.string }
  }

  @Test func handlesOfLibindyAreRefusedWithTheFunctionToCall() {
    for code in [vcx_init_minimal("{}"), vcx_wallet_set_handle(1), vcx_pool_set_handle(1)] {
      #expect(code == 1103)
      #expect(cause()?.contains("vcx_init_with_config") == true)
    }
    #expect(vcx_init_minimal(nil) == 1007 && vcx_init_minimal("") == 1007)
  }

  @Test func thereAreNoTokensToMint() {
    #expect(vcx_mint_tokens(nil, nil) == 1087 && vcx_mint_tokens("a", "{}") == 1087)
  }
}
