import AgencyWire
import JSON
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The configuration that provisioning returns.
  @Suite(.serialized) struct ProvisioningResultTests {
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
