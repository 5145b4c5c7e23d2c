import DIDComm
import JSON
import Sodium
import Testing

@testable import Aries

@Suite struct MediatorMessageTests {
  private static let key = KeyPair().verkey
  private static let envelope: JSON = ["protected": "eyJ-_", "ciphertext": "x>?"]

  private func read(_ type: String, _ members: JSONObject) throws -> MediatorMessage {
    var object = members
    object["@type"] = .string(type)
    return try MediatorMessage(.object(object))
  }

  @Test(
    arguments: ["https://didcomm.org/", "did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/"],
    [key.text, key.didKey, key.didURL])
  func aGrantHasItsKeysInAnyForm(prefix: String, text: String) throws {
    let members: JSONObject = ["endpoint": "https://mediator.example", "routing_keys": [.string(text)]]
    let message = try read(prefix + "coordinate-mediation/1.0/mediate-grant", members)
    guard case .grant(let grant) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(grant.routingKeys == [Self.key] && grant.endpoint == "https://mediator.example")
    #expect(try MediationGrant(grant.stored) == grant)
  }

  @Test(
    arguments: [
      ["endpoint": "ftp://mediator.example", "routing_keys": [.string(key.text)]],
      ["endpoint": "https://mediator.example", "routing_keys": []],
      ["endpoint": "https://mediator.example", "routing_keys": ["x"]],
      ["endpoint": "https://mediator.example"],
    ] as [JSONObject])
  func aGrantThatNoPeerCanUseIsRefused(members: JSONObject) {
    #expect(throws: MessageError.self) {
      try read("https://didcomm.org/coordinate-mediation/1.0/mediate-grant", members)
    }
  }

  @Test func aDenialIsOne() throws {
    #expect(try read("https://didcomm.org/coordinate-mediation/1.0/mediate-deny", [:]) == .denial)
  }

  @Test func theAnswerToAnUpdateNamesSomeOfItsKeys() throws {
    let other = KeyPair().verkey
    let entry: JSON = ["recipient_key": .string(Self.key.didKey), "action": "add", "result": "no_change"]
    let message = try read(
      "https://didcomm.org/coordinate-mediation/1.0/keylist-update-response", ["updated": [entry]])
    guard case .keylist(let answer) = message else {
      Issue.record("\(message)")
      return
    }
    let results = answer.results(of: KeylistUpdate(id: "1", .add, [Self.key]))
    #expect(results?.map(\.isDone) == [true] && results?.map(\.isChange) == [false])
    #expect(answer.results(of: KeylistUpdate(id: "1", .remove, [Self.key])) == nil)
    #expect(answer.results(of: KeylistUpdate(id: "1", .add, [Self.key, other]))?.map(\.key) == [Self.key])
    #expect(answer.results(of: KeylistUpdate(id: "1", .add, [other])) == nil)
  }

  @Test func anUpdateHasItsKeysInBase58() {
    let update = KeylistUpdate(id: "1", .remove, [Self.key]).json
    #expect(update["updates"] == [["recipient_key": .string(Self.key.text), "action": "remove"]])
  }

  @Test(
    arguments: [
      ["json": envelope], ["json": .string(envelope.text)],
      ["base64": .string(Base64.encode(envelope.bytes, .standard))],
      ["base64": .string(Base64.encode(envelope.bytes, .url, padded: false))],
    ] as [JSON])
  func aDeliveryHasItsEnvelopesInAnyEncoding(data: JSON) throws {
    let attachment: JSON = ["@id": "a", "lastmod_time": "2026-01-01", "data": data]
    let message = try read("https://didcomm.org/messagepickup/2.0/delivery", ["~attach": [attachment]])
    #expect(message == .delivery(try Delivery(["~attach": [["@id": "a", "data": ["json": Self.envelope]]]])))
    guard case .delivery(let delivery) = message else { return }
    #expect(delivery.items.map(\.envelope) == [Self.envelope] && delivery.items.map(\.id) == ["a"])
  }

  @Test func anAttachmentThatCannotBeReadKeepsItsID() throws {
    let delivery = try Delivery(["~attach": [["@id": "a", "data": ["base64": "%"]], ["@id": "b"]]])
    #expect(delivery.items.map(\.id) == ["a", "b"] && delivery.items.allSatisfy { $0.envelope == nil })
  }

  @Test func aDeliveryWithTooManyAttachmentsIsRefused() {
    let attachments = JSON.array(Array(repeating: ["@id": "a"], count: 1_001))
    #expect(throws: MessageError.self) {
      try read("https://didcomm.org/messagepickup/2.0/delivery", ["~attach": attachments])
    }
  }

  @Test(arguments: [envelope, .string(envelope.text)])
  func aBatchHasItsEnvelopesAsObjectsOrTexts(message: JSON) throws {
    let batch = try Delivery(batch: ["messages~attach": [["@id": "a", "message": message]]])
    #expect(batch.items.map(\.envelope) == [Self.envelope])
  }

  @Test func aStatusCountsAndNamesItsThread() throws {
    let members: JSONObject = ["message_count": 3, "~thread": ["thid": "r"], "longest_waited_seconds": "x"]
    for version in ["1.0", "2.0"] {
      let message = try read("https://didcomm.org/messagepickup/\(version)/status", members)
      guard case .status(let status) = message else {
        Issue.record("\(message)")
        continue
      }
      #expect(status.count == 3 && status.thread == "r")
    }
  }

  @Test func aMessageThatPeersSendTooIsOne() throws {
    let message = try read("https://didcomm.org/trust_ping/1.0/ping", ["@id": "p"])
    guard case .other(.ping(let ping)) = message else {
      Issue.record("\(message)")
      return
    }
    #expect(ping.id == "p")
  }

  @Test func notificationsEndByNull() {
    #expect(DeviceInfo(id: "1", .off).json["device_token"] == .null)
    #expect(DeviceInfo(id: "1", .offInTexts).json["device_token"] == "")
    #expect(DeviceInfo(id: "1", .token("t", platform: "android")).json["device_token"] == "t")
  }
}
