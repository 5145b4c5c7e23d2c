import Aries
import JSON
import Testing

@Suite struct RevocationNotificationTests {
  static func read(_ json: JSON) throws -> RevocationNotification {
    guard case .revocation(let notification) = try Message(json) else { throw NotRead(json: json) }
    return notification
  }

  struct NotRead: Error { let json: JSON }

  @Test func bothVersionsNameTheCredential() throws {
    let first = try Self.read(ExchangeScene.revocation("1.0"))
    #expect(first.credential == .thread("0d0f1a4e-6f1c-4c57-9d62-2f8a5b0c0001"))
    #expect(first.isRevoked && !first.asksForAck)
    let second = try Self.read(ExchangeScene.revocation("2.0"))
    guard case .registry(let registry, _) = second.credential else { throw NotRead(json: .null) }
    #expect(registry.contains(":4:"))
  }

  @Test func aRegistryMayBeNamedInVersion1() throws {
    let json: JSON = [
      "@type": "https://didcomm.org/revocation_notification/1.0/revoke", "@id": "1", "comment": "gone",
      "thread_id": "indy::WgWxqztrNooG92RXvxSTWv:4:WgWxqztrNooG92RXvxSTWv:3:CL:20:t:CL_ACCUM:0::23", "~please_ack": [:],
    ]
    let notification = try Self.read(json)
    let registry = "WgWxqztrNooG92RXvxSTWv:4:WgWxqztrNooG92RXvxSTWv:3:CL:20:t:CL_ACCUM:0"
    #expect(notification.credential == .registry(registry, index: 23))
    #expect(notification.comment == "gone")
    #expect(notification.asksForAck)
    #expect(
      notification.ack(id: "2") == [
        "@type": "https://didcomm.org/revocation_notification/1.0/ack", "@id": "2", "status": "OK",
        "~thread": ["thid": "1"],
      ])
  }

  @Test func anIssuerTakesARevocationBack() throws {
    let json = try ExchangeScene.revocation("2.0").with([
      "@type": "https://didcomm.org/revocation_notification/2.1/unrevoke"
    ])
    #expect(try !Self.read(json).isRevoked)
  }

  @Test(arguments: ["", "::", "r::", "::1", "r:1", "r::x", "r::4294967296", "r::-1"])
  func version2NeedsARegistryAndAnIndex(id: String) throws {
    let json = try ExchangeScene.revocation("2.0").with(["credential_id": .string(id)])
    #expect(throws: MessageError.malformed(.wrongType(key: "credential_id", expected: "the id of a credential"))) {
      try Message(json)
    }
  }

  @Test(arguments: ["r::\u{0663}", "r::\u{0663}1", "r::1\u{00bd}"]) func anIndexHasDigitsOfASCII(id: String) throws {
    let json = try ExchangeScene.revocation("2.0").with(["credential_id": .string(id)])
    #expect(throws: MessageError.self) { try Message(json) }
  }

  @Test func version1NeedsAName() throws {
    #expect(throws: MessageError.self) { try Message(ExchangeScene.revocation("1.0").with(["thread_id": ""])) }
  }

  /// The first version of the protocol (RFC 0183) takes nothing back.
  @Test func onlyTheSecondVersionTakesARevocationBack() throws {
    let type = "https://didcomm.org/revocation_notification/1.0/unrevoke"
    let json = try ExchangeScene.revocation("1.0").with(["@type": .string(type)])
    #expect(try Message(json) == .other(type: type))
  }

  /// The program applies the notification itself, so that it stays in the mailbox.
  @Test func aRevocationThatIsConfirmedStaysForTheApplication() throws {
    let scene = try ConnectionMachineTests.Scene("connected invitee")
    var machine = scene.machine
    let asking = try Message(ExchangeScene.revocation("2.0").with(["~please_ack": [:]]))
    let action = try machine.receive(asking, from: scene.peer.sender, reply: scene.me.reply())
    guard case .sendAndLeave(_, scene.peer.own.service) = action else { throw NothingSent(action: action) }
    #expect(machine == scene.machine)
  }
}
