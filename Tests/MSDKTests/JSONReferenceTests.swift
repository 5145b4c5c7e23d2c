import CloudAgent
import Aries
import JSON
import MSDK
import TestSupport
import Testing
import Wallet

/// Whether docs/json.md lists what the code gives and takes.
extension SDKTests {
  @Suite struct JSONReferenceTests {
    let world: World

    init() throws { world = try World() }

    private func check(_ title: String, _ text: String) throws {
      #expect(try JSONReference(title).differences(from: JSON(parsing: text)) == [], "\(title): \(text)")
    }

    // MARK: given

    @Test func theResultOfProvisioningIsListed() throws {
      let listed = try Set(JSONReference("Configuration").members.map(\.path))
      let given = try JSON(parsing: world.config).requireObject().keys
      #expect(given.filter { !listed.contains($0) } == [])
    }

    @Test func theReferenceListsTheMembersOfAConnection() throws {
      let connection = try world.completed()
      try check("Connection info", connection.info(with: world.session))
      try check("Pairwise agent", world.session.createMailbox())
      let serialized = connection.serialized(institutionDID: nil)
      let known = try ExistingConnection(
        for: world.inviter.invitation.text, among: JSON.array([.string(serialized)]).text)
      try check("Known connection", known.text)
      // Of this text only some members are for programs.
      let differences = try JSONReference("Serialized connection").differences(from: JSON(parsing: serialized))
      #expect(differences.filter { $0.hasPrefix("no ") || !$0.hasPrefix("data.") } == [])
    }

    @Test func keptObjectsAreListed() throws {
      world.agent.stop(deletingWallet: false)
      try world.start(JSON(parsing: world.config).with(["keep_objects": true]).text)
      var connection = try Connection(sourceID: "faber", outOfBandInvitation: "did:sov:V4SGRU86Z58d6TV7PBUe6f")
      try connection.keep(with: world.session)
      try check("Kept objects", world.session.keptObjects.list(KeptQuery(parsing: "{}")))
    }

    @Test func downloadedMessagesAreListed() throws {
      _ = try world.completed()
      let question: JSON = ["@type": "https://didcomm.org/basicmessage/1.0/message", "@id": "1", "content": "a"]
      try world.inviter.send(question)
      let text = try world.session.downloadMessages(statuses: "MS-103", uids: nil, pairwiseDIDs: nil)
      try check("Messages", text)
      let message = try #require(try JSON(parsing: text).array?.first?["msgs"]?.array?.last)
      try check("Decrypted payload", #require(message["decryptedPayload"]?.string))
    }

    @Test func recordsAreListed() throws {
      let wallet = try world.session.wallet
      try wallet.apply(.add(Record(type: "note", id: "1", value: "a", tags: Tags(parsing: #"{"b":"c"}"#))))
      try check("Record", wallet.record(type: "note", id: "1", retrieving: Retrieval(parsing: "{}")).text)
      let search = try wallet.search(type: "note", query: "{}")
      try check("Found records", search.next(5).text)
    }

    @Test func aPushNotificationIsListed() throws {
      let push = try PushNotification(parsing: #"{"msgId":"1","relationshipDid":"XNKZvMcN2Bx3mu6oMiRfds"}"#)
      try check("Push call", push.call)
    }

    // MARK: taken

    /// A value of a wrong type is refused, which shows that the member is read. An array in an array is wrong for all.
    private func eachIsRead(_ title: String, in json: JSON, by read: (String) throws -> Void) throws {
      try read(json.text)
      for (path, text) in try JSONReference(title).members where !text.hasPrefix("Ignored") {
        let changed = json.replacing(path.split(separator: ".").map(String.init)[...], with: [[]])
        #expect(throws: (any Error).self, "\(title): \(path)") { try read(changed.text) }
      }
    }

    @Test func configurationsAreRead() throws {
      var config = try JSON(parsing: world.config)
      config["anoncreds_registries"] = [
        ["type": "file", "path": "/none", "write": true, "tails_base_url": "https://tails.example/"],
        ["type": "http", "url": "https://registry.example", "match": "x", "bearer_token": "x"],
      ]
      try eachIsRead("Configuration", in: config) { _ = try Settings(parsing: $0) }
      var provisioning = config
      provisioning["agent_seed"] = "000000000000000000000000000Alice"
      let taken = provisioning
      try eachIsRead("Provisioning", in: taken) { _ = try Provisioning(parsing: $0) }
      var wallet = config
      (wallet["exported_wallet_path"], wallet["backup_key"]) = ("/none", "key")
      try eachIsRead("Wallet import", in: wallet) { _ = try WalletImport(parsing: $0) }
      let request: JSON = ["vcx_config": config, "sponsee_id": "a", "sponsor_id": "b"]
      try eachIsRead("Token request", in: request) { _ = try TokenRequest(parsing: $0) }
    }

    @Test func listsAreRead() throws {
      let session = try world.session
      let mark: JSON = ["pairwiseDID": "XNKZvMcN2Bx3mu6oMiRfds", "uids": ["1"]]
      for member in try JSONReference("Message marks").members.map({ $0.path.replacing("[].", with: "") }) {
        let changed = JSON.array([mark.replacing([member], with: [[]])])
        #expect(throws: MailboxError.self) { try session.updateMessages(status: "MS-106", changed.text) }
      }
    }

    @Test func theRestIsRead() throws {
      let token: JSON = [
        "sponseeId": "a", "sponsorId": "b", "nonce": "c", "timestamp": "2026-01-01T00:00:00+00:00", "sig": "ZA==",
        "sponsorVerKey": .string(world.inviter.invitationKey.verkey.text), "attestationAlgorithm": "SafetyNet",
        "attestationData": "e",
      ]
      try eachIsRead("Token", in: token) { _ = try SponsorToken(parsing: $0) }
      try eachIsRead("Announcements", in: ["id": "a", "value": "b"]) { _ = try PushRegistration(parsing: $0) }
      try eachIsRead("Message options", in: [:]) {
        _ = try ProprietaryMessage(id: "1", text: "", options: JSON(parsing: $0).requireObject())
      }
      try eachIsRead("Invite action", in: ["goal_code": "a"]) { _ = try InviteAction(parsing: $0) }
      try eachIsRead("Connection invitation", in: world.inviter.invitation) {
        _ = try ConnectionInvitation(JSON(parsing: $0))
      }
      let options: JSON = ["pairwise_agent_info": try JSON(parsing: world.session.createMailbox())]
      let listed = try JSONReference("Connection options").members.map(\.path).filter { !$0.contains(".") }
      #expect(Set(listed) == ConnectionOptions.members)
      try eachIsRead("Connection options", in: options) { _ = try ConnectionOptions(parsing: $0) }
      try eachIsRead("Record options", in: [:]) { _ = try SearchOptions(parsing: $0) }
    }
  }
}
