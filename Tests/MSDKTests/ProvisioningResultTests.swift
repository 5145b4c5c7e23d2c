import AgencyWire
import CloudAgent
import JSON
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// The configuration that provisioning returns.
  @Suite struct ProvisioningResultTests {
    let world: ScriptedWorld

    init() throws { world = try ScriptedWorld() }

    private func provisioned(_ members: [String: JSON]) throws -> JSON {
      try JSON(parsing: Provisioning(parsing: world.provisioning(wallet: "bob").with(members).text).run())
    }

    @Test func theResultHoldsNoSeedAndNoNameOfProvisioning() throws {
      let result = try provisioned([
        "agent_seed": "000000000000000000000000TheAgent", "enterprise_seed": "0000000000000000000TheEnterprise",
        "name": "Bob", "logo": "http://logo.example", "path": "/genesis", "protocol_type": "3.0", "future": [1],
      ])
      for name in ["agency_url", "agent_seed", "enterprise_seed", "name", "logo", "path"] {
        #expect(result[name] == nil, "\(name)")
      }
      #expect(result["genesis_path"] == "/genesis" && result["future"] == [1] && result["protocol_type"] == "3.0")
      #expect(result["institution_name"] == "Bob" && result["institution_logo_url"] == "http://logo.example")
      #expect(result["agency_endpoint"] == .string(world.agency.endpoint) && result["wallet_name"] == "bob")
      #expect(!result.text.contains("TheAgent") && !result.text.contains("TheEnterprise"))
    }

    /// One seed in its three forms.
    @Test func everyFormOfASeedGivesTheSameKey() throws {
      let seed = Array("00000000000000000000TheSeed".utf8) + [0x01, 0x23, 0xab, 0xcd, 0xef]
      let key = try KeyPair(seed: SecretBytes(copying: seed)).verkey.text
      let hex = seed.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      for text in [Base64.encode(seed, .standard), hex, hex.uppercased()] {
        #expect(try provisioned(["agent_seed": .string(text)])["sdk_to_remote_verkey"] == .string(key))
      }
    }

    @Test func aSeedDecidesTheKeyAlsoWithAToken() throws {
      let seed = "000000000000000000000000TheAgent"
      let config = world.provisioning(wallet: "bob").with(["agent_seed": .string(seed)])
      let token = try SponsorToken(parsing: SponsorTokenTests.token)
      let result = try JSON(parsing: Provisioning(parsing: config.text).run(with: token))
      let pair = try KeyPair(seed: SecretBytes(copying: Array(seed.utf8)))
      #expect(result["sdk_to_remote_verkey"] == .string(pair.verkey.text))
    }

    /// The session opens the wallet that was made.
    @Test func theResultNamesTheWalletAlsoIfItHasTheDefaultName() throws {
      #expect(try provisioned(["wallet_name": .null])["wallet_name"] == "LIBVCX_SDK_WALLET")
    }

    /// The wallet has lost the key of the earlier attempt: the next one makes another, which later ones find.
    @Test func anAttemptWhoseKeyIsLostBeginsAnew() throws {
      let config = world.provisioning(wallet: "bob")
      let token = try SponsorToken(parsing: SponsorTokenTests.token)
      let run = { try JSON(parsing: Provisioning(parsing: config.text).run(with: token))["sdk_to_remote_did"] }
      let first = try run()
      let settings = try Settings(parsing: config.text).wallet
      let wallet = try Wallet.open(settings.location, key: settings.key, derivation: settings.derivation)
      let records = LibraryRecords(of: "msdk.provisioning-attempt", in: wallet)
      let mark = token.mark(at: world.agency.party)
      #expect(try records.find(mark)?.value == first?.string)
      try wallet.make([records.putting(mark, value: KeyPair().verkey.did.text)])
      wallet.close()
      let second = try run()
      #expect(try second != first && run() == second)
    }

    @Test func aTokenIsAskedForTheUserOfASponsor() throws {
      let request: JSON = [
        "vcx_config": world.provisioning(wallet: "bob"), "sponsee_id": "user-42", "sponsor_id": "example-sponsor",
      ]
      let token = try JSON(parsing: TokenRequest(parsing: request.text).run())
      #expect(token["sponseeId"] == "user-42" && token["sponsorId"] == "example-sponsor")
    }

    @Test func theLaterNamesAreReadToo() throws {
      let result = try provisioned([
        "institution_name": "Bob", "institution_logo_url": "http://logo.example", "genesis_path": "/genesis",
      ])
      #expect(result["institution_name"] == "Bob" && result["institution_logo_url"] == "http://logo.example")
      #expect(result["genesis_path"] == "/genesis")
      let bare = try provisioned([:])
      #expect(bare["institution_name"] == nil && bare["institution_logo_url"] == nil && bare["genesis_path"] == nil)
    }
  }
}
