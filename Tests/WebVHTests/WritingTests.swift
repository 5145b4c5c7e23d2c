import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import WebVH

/// Logs and resources that this program writes, as a reader finds them.
@Suite struct WritingTests {
  private let keys = MemoryKeys()

  private func made(_ choices: JSONObject = [:], at place: String = "example.com:issuers:1") throws -> WritableLog {
    try WritableLog(at: place, DIDChange(choices, ofNewDID: true), keys: keys, now: now)
  }

  private func update(_ log: WritableLog, _ changes: JSONObject = [:]) throws -> WritableLog {
    try log.appending(DIDChange(changes, ofNewDID: false), keys: keys, now: now)
  }

  /// The updates' keys and the hashes of the next ones.
  private func keys(of log: WritableLog) -> (now: [String], next: [String]) {
    (log.log.parameters.updateKeys, log.log.parameters.nextKeyHashes)
  }

  @Test func aNewLogIsValid() throws {
    let made = try made(["document": ["alsoKnownAs": ["https://example.com"]], "ttl": 60])
    let read = try verified(made.bytes)
    #expect(read.latest.id == made.log.latest.id && read.latest.id.hasPrefix("1-Qm"))
    #expect(made.did.text == "did:webvh:\(read.scid):example.com:issuers:1")
    try read.require(made.did)
    #expect(read.ttl == 60 && read.latest.document["alsoKnownAs"] == ["https://example.com"])
    #expect(read.parameters.updateKeys.count == 1 && read.parameters.nextKeyHashes.count == 1)
    #expect(read.assertionKeys.count == 1)
    #expect(read.assertionKeys.first.flatMap { keys.keyPair(for: $0.key) } != nil)
  }

  @Test func withPreRotationEachVersionHasTheKeyThatWasFixedBefore() throws {
    var log = try made()
    for number in 2...4 {
      let before = keys(of: log)
      log = try update(log, number == 3 ? ["rotate": true] : [:])
      let after = keys(of: log)
      let expected = try before.next.map { try #require(keys.key(withHash: $0)).multibase }
      #expect(after.now == expected && after.next != before.next && after.next.count == 1)
    }
    let read = try verified(log.bytes)
    #expect(read.versions.count == 4 && read.latest.time.seconds == now + 3)
  }

  @Test func withoutItTheKeyChangesOnRequest() throws {
    let first = try made(["pre_rotation": false])
    let second = try update(
      first, ["document": ["service": [["id": "#x", "type": "x", "serviceEndpoint": "https://e.org"]]]])
    #expect(keys(of: second).now == keys(of: first).now && keys(of: second).next.isEmpty)
    let third = try update(second, ["rotate": true, "document": ["service": nil]])
    #expect(keys(of: third).now != keys(of: first).now && third.log.latest.document["service"] == nil)
    let fourth = try update(third, ["pre_rotation": true])
    #expect(keys(of: fourth).now == keys(of: third).now && keys(of: fourth).next.count == 1)
    let fifth = try update(fourth, ["pre_rotation": false])
    #expect(keys(of: fifth).now != keys(of: fourth).now && keys(of: fifth).next.isEmpty)
    #expect(try verified(update(fifth).bytes).versions.count == 6)
  }

  @Test(arguments: [true, false]) func nothingFollowsADeactivation(preRotates: Bool) throws {
    let ended = try made(["pre_rotation": .bool(preRotates)]).appending(.deactivation, keys: keys, now: now)
    #expect(try verified(ended.bytes).isDeactivated)
    #expect(throws: ControllerError.log(.deactivated)) { try update(ended) }
  }

  @Test(arguments: [true, false]) func onlyItsKeysContinueALog(preRotates: Bool) throws {
    let log = try made(["pre_rotation": .bool(preRotates)])
    let change = try DIDChange([:], ofNewDID: false)
    #expect(throws: ControllerError.noKey) { try log.appending(change, keys: MemoryKeys(), now: now) }
  }

  @Test func aLogThatIsInvalidIsNotContinued() throws {
    let log = try made()
    let forged = String(decoding: log.bytes, as: UTF8.self).replacing("issuers", with: "forgers")
    #expect(throws: ControllerError.self) { try WritableLog(Array(forged.utf8), now: now) }
    let witness = KeyPair().verkey.didKey
    let watched = try DIDController(
      "example.com", parameters: ["witness": ["threshold": 1, "witnesses": [["id": .string(witness)]]]])
    let error = #expect(throws: ControllerError.self) { try WritableLog(watched.log, now: now) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("witnesses"))
  }

  @Test(
    arguments: [
      "", "localhost:", "127.0.0.1", "example", "example.com:a/b", "example.com:..", "example.com:a%20b", "exämple.com",
    ])
  func aPlaceIsAHostWithAPath(place: String) {
    #expect(throws: ControllerError.malformedPlace(place)) { try made(at: place) }
  }

  @Test(
    arguments: [
      ["document": ["id": "x"]], ["document": ["verificationMethod": []]], ["document": 1], ["rotate": true],
      ["pre_rotation": 1], ["ttl": -1], ["ttl": "1"], ["other": 1],
    ] as [JSONObject])
  func otherChoicesAreRefused(choices: JSONObject) {
    #expect(throws: JSONError.self) { try DIDChange(choices, ofNewDID: true) }
  }

  @Test func aResourceIsReadAsItWasSigned() throws {
    let log = try made()
    let content: JSONObject = ["issuerId": .string(log.did.text), "name": "degree"]
    let id = try ResourceID(of: content, by: log.did)
    let links: [JSON] = [["id": "a", "type": "b", "timestamp": 7], "other"]
    let bytes = try AttestedResource.signed(
      content, id: id, type: "t", name: "n", links: links, of: log.log, by: keys, now: now)
    let read = try AttestedResource(bytes, id: id, type: "t", of: log.log, limits: .standard, now: now)
    #expect(read.content == content && read.allLinks == links && read.links.count == 1)
    #expect(id.file == "issuers/1/resources/\(id.digest)" && ResourceID(id.text) == id)
    #expect(throws: ControllerError.noKey) {
      try AttestedResource.signed(content, id: id, type: "t", name: "n", of: log.log, by: MemoryKeys(), now: now)
    }
  }
}
