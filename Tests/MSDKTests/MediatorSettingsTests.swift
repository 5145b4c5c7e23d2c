import Aries
import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import MSDK

@Suite struct MediatorSettingsTests {
  private let mediator = KeyPair().verkey
  private let routing = KeyPair().verkey
  private let own = KeyPair().verkey

  private var members: JSONObject {
    [
      "wallet_key": "key", "sdk_to_remote_did": .string(own.did.text), "sdk_to_remote_verkey": .string(own.text),
      "mediator_service": [
        "recipientKeys": [.string(mediator.text)], "routingKeys": [], "serviceEndpoint": "https://mediator.example/in",
      ],
      "mediator_grant": ["endpoint": "https://mediator.example", "routing_keys": [.string(routing.didKey)]],
    ]
  }

  private func settings(_ change: (inout JSONObject) -> Void = { _ in }) throws -> Settings {
    var members = members
    change(&members)
    return try Settings(parsing: JSON.object(members).text)
  }

  @Test func aMediatorIsTheCloudAgent() throws {
    let settings = try settings()
    guard case .mediator(let account) = settings.cloudAgent else {
      Issue.record("\(String(describing: settings.cloudAgent))")
      return
    }
    #expect(
      account.mediator.recipientKeys == [mediator] && account.own == own && account.grant.routingKeys == [routing])
    #expect(settings.cloudAgent?.address == "https://mediator.example/in")
    #expect(settings.cloudAgent?.addressForPeers == "https://mediator.example")
  }

  @Test func theMembersOfAnAccountGiveIt() throws {
    guard case .mediator(let account) = try settings().cloudAgent else { return }
    let again = try settings { members in
      for (name, value) in account.members.members { members[name] = .string(value.text) }
    }
    guard case .mediator(let same) = again.cloudAgent else {
      Issue.record("\(String(describing: again.cloudAgent))")
      return
    }
    #expect(same.mediator == account.mediator && same.grant == account.grant)
  }

  @Test(arguments: ["mediator_grant", "sdk_to_remote_verkey"]) func aMissingMemberIsNamed(name: String) {
    #expect(throws: SettingsError.missing(name)) { try settings { $0[name] = nil } }
  }

  @Test func aMalformedMemberIsNamed() {
    for name in ["mediator_service", "mediator_grant"] {
      let error = #expect(throws: SettingsError.self) { try settings { $0[name] = ["endpoint": "ftp://x"] } }
      #expect(error.map { "\($0)" }?.contains(name) == true)
    }
  }

  @Test func anAgentHasOneCloudAgent() {
    let agency: JSONObject = [
      "wallet_key": "key", "mediator_invitation": "https://mediator.example?oob=e30",
      "agency_endpoint": "http://agency.example",
    ]
    #expect(throws: SettingsError.noCloudAgent) {
      try Provisioning(parsing: #"{"wallet_name":"w","wallet_key":"k"}"#)
    }
    #expect(throws: SettingsError.twoCloudAgents) { try Provisioning(parsing: JSON.object(agency).text) }
  }

  @Test func anInvitationIsTheObjectOrItsTextOrAURL() throws {
    for invitation in [["@id": "1"], "{\"@id\": \"1\"}", "https://mediator.example?oob=e30"] as [JSON] {
      _ = try Provisioning(
        parsing: JSON.object(["wallet_key": "key", "mediator_invitation": invitation]).text)
    }
    #expect(throws: SettingsError.self) {
      try Provisioning(parsing: #"{"wallet_key": "key", "mediator_invitation": ["x"]}"#)
    }
  }
}
