import JSON
import Sodium
import TestSupport
import Testing

@testable import WebVH

/// The rules of a log's entries. Each log is signed and hashed, and breaks one rule.
@Suite struct RuleTests {
  private let key = KeyPair()
  private let next = KeyPair()

  private func error(_ controller: DIDController) -> DIDLogError? {
    do {
      _ = try verified(controller.log)
      return nil
    } catch { return error as? DIDLogError }
  }

  /// The reason why the second entry is refused; nil if the log is valid.
  private func refusal(
    first: [String: JSON] = [:], _ parameters: JSON = [:], document: [String: JSON] = [:], by keys: [KeyPair]? = nil,
    change: (inout JSON) -> Void = { _ in }
  ) throws -> EntryError? {
    var controller = try DIDController("example.com", key: key, parameters: first)
    try controller.update(parameters: parameters, document: document, by: keys, change: change)
    guard let error = error(controller) else { return nil }
    guard case .invalidEntry(2, let reason) = error else {
      Issue.record("\(error)")
      return nil
    }
    return reason
  }

  private func firstRefusal(
    _ parameters: [String: JSON] = [:], _ document: [String: JSON] = [:], time: String = "2025-01-01T00:00:00Z",
    change: (inout JSON) -> Void = { _ in }
  ) throws -> EntryError? {
    let controller = try DIDController(
      "example.com", parameters: parameters, document: document, time: time, change: change)
    guard case .invalidEntry(1, let reason)? = error(controller) else { return nil }
    return reason
  }

  @Test func anEntryWithoutChangesIsValid() throws { #expect(try refusal() == nil) }

  // MARK: - Chain

  @Test func theNumberAndTheHashBelongToTheVersion() throws {
    for version in ["2-x", "3", "x", ""] {
      var controller = try DIDController("example.com")
      try controller.update()
      let hash = controller.versions[1].drop { $0 != "-" }
      controller.entries[1]["versionId"] = .string(version == "3" ? "3\(hash)" : version)
      #expect(error(controller) == .invalidEntry(2, .wrongHash))
    }
  }

  @Test func anEntryOfAnotherLogDoesNotContinueTheLog() throws {
    var (one, other) = (try DIDController("example.com", key: key), try DIDController("example.com", key: key))
    try one.update()
    try other.update(document: ["alsoKnownAs": ["https://example.com"]])
    one.entries.append(other.entries[1])
    #expect(error(one) == .invalidEntry(3, .wrongHash))
    one.entries.remove(at: 1)
    // Both logs have the same first entry, which the second entry of either log continues.
    #expect(error(one) == nil)
    one.entries.remove(at: 0)
    #expect(error(one) != nil)
  }

  @Test func theSCIDIsTheHashOfTheFirstEntry() throws {
    var controller = try DIDController("example.com", key: key)
    var entry = controller.entries[0]
    entry["state"]?["alsoKnownAs"] = ["https://example.com"]
    entry["proof"] = nil
    controller.entries[0] = try DIDController.sealed(entry, number: 1, after: controller.scid, by: [key])
    #expect(error(controller) == .invalidEntry(1, .wrongSCID))
  }

  @Test(arguments: [
    ("2025-01-01T00:00:00Z", false), ("2024-12-31T00:00:00Z", false), ("2025-01-01T00:00:00.001Z", true),
    ("2025-01-01T00:00:01Z", true), ("2026-11-25T12:05:00Z", true), ("2026-11-25T12:05:01Z", false),
  ])
  func timesRiseAndAreNotInTheFuture(time: String, isValid: Bool) throws {
    #expect(try refusal { $0["versionTime"] = .string(time) } == (isValid ? nil : .wrongTime))
  }

  @Test(arguments: ["2025-01-02", "2025-01-02T00:00:00", "2025-01-02T00:00:00+00:00", "2025-01-02 00:00:00Z", "x"])
  func timesAreInUTC(time: String) throws {
    #expect(try refusal { $0["versionTime"] = .string(time) } == .malformed("versionTime"))
  }

  @Test func anEntryHasFiveMembers() throws {
    #expect(try refusal { $0["more"] = 1 } == .malformed("it has other members than an entry"))
    #expect(try refusal { $0["parameters"] = [] } == .malformed("parameters"))
    #expect(try refusal { $0["state"] = "x" } == .malformed("state"))
  }

  @Test func aRepeatedNameIsRefused() throws {
    let text = String(decoding: try DIDController("example.com").log, as: UTF8.self)
    let repeated = "{\"state\":{}," + text.dropFirst()
    #expect(throws: DIDLogError.self) { try verified(Array(repeated.utf8)) }
  }

  // MARK: - Keys

  @Test func theFormerKeysSignAChangeOfKeys() throws {
    let keys: JSON = ["updateKeys": [.string(next.verkey.multibase)]]
    #expect(try refusal(keys) == nil)
    #expect(try refusal(keys, by: [next]) == .unauthorized)
    #expect(try refusal(by: [next]) == .unauthorized)
    #expect(try refusal(by: [key, next]) == .unauthorized)
    #expect(try refusal(by: []) == .unauthorized)
  }

  @Test func aKeyThatWasReplacedSignsNothing() throws {
    var controller = try DIDController("example.com", key: key)
    try controller.update(parameters: ["updateKeys": [.string(next.verkey.multibase)]])
    try controller.update(by: [key])
    #expect(error(controller) == .invalidEntry(3, .unauthorized))
    controller.entries.removeLast()
    try controller.update(by: [next])
    #expect(error(controller) == nil)
  }

  @Test func withPreRotationTheNextKeysAreFixed() throws {
    let first: [String: JSON] = ["nextKeyHashes": [DIDController.hash(of: next)]]
    let keys: [String: JSON] = ["updateKeys": [.string(next.verkey.multibase)]]
    let hashes: [String: JSON] = ["nextKeyHashes": [DIDController.hash(of: KeyPair())]]
    let both = JSON.object([:]).with(keys).with(hashes)
    #expect(try refusal(first: first, both, by: [next]) == nil)
    #expect(try refusal(first: first, both, by: [key]) == .unauthorized)
    #expect(try refusal(first: first, JSON.object([:]).with(keys), by: [next]) != nil)
    #expect(try refusal(first: first, JSON.object([:]).with(hashes), by: [key]) != nil)
    let others = both.with(["updateKeys": [.string(key.verkey.multibase)]])
    #expect(try refusal(first: first, others, by: [key]) != nil)
  }

  @Test func preRotationEndsAfterTheEntryThatEndsIt() throws {
    var controller = try DIDController(
      "example.com", key: key, parameters: ["nextKeyHashes": [DIDController.hash(of: next)]])
    try controller.update(
      parameters: ["updateKeys": [.string(next.verkey.multibase)], "nextKeyHashes": []], by: [next])
    try controller.update(parameters: ["updateKeys": [.string(key.verkey.multibase)]], by: [next])
    #expect(error(controller) == nil)
  }

  @Test(
    arguments: [
      ["cryptosuite": "eddsa-rdfc-2022"], ["type": "Ed25519Signature2020"], ["proofPurpose": "authentication"],
      ["verificationMethod": "#x"], ["created": "yesterday"], ["expires": "2025-01-01T00:00:00Z"], ["created": 1],
    ] as [[String: JSON]])
  func otherProofsAreRefused(members: [String: JSON]) throws {
    var controller = try DIDController("example.com", key: key)
    var entry = controller.entries[0]
    entry["proof"] = nil
    let proof = try DIDController.proof(of: entry, by: key, method: key.verkey.didURL, with: members)
    controller.entries[0]["proof"] = [proof]
    #expect(error(controller) != nil)
  }

  /// The fragment of the method must be the key too.
  @Test func theKeyOfAProofIsNamedTwice() throws {
    var controller = try DIDController("example.com", key: key)
    var entry = controller.entries[0]
    entry["proof"] = nil
    let method = "\(key.verkey.didKey)#\(next.verkey.multibase)"
    controller.entries[0]["proof"] = [try DIDController.proof(of: entry, by: key, method: method)]
    #expect(error(controller) == .invalidEntry(1, .unauthorized))
  }

  // MARK: - Parameters

  @Test(
    arguments: [
      ["method": .null], ["method": "did:webvh:0.5"], ["method": "did:webvh:1.1"], ["updateKeys": .null],
      ["updateKeys": "x"], ["updateKeys": [1]], ["nextKeyHashes": 1], ["watchers": [1]], ["portable": 1],
      ["deactivated": "true"], ["ttl": -1], ["ttl": 2_147_483_649], ["ttl": "1"], ["more": 1], ["witness": []],
      ["witness": ["threshold": 1]], ["witness": ["threshold": 0, "witnesses": []]],
      ["witness": ["threshold": 1, "witnesses": [["id": "did:example:1"]]]],
    ] as [[String: JSON]])
  func otherParametersAreRefused(parameters: [String: JSON]) throws {
    guard case .parameter? = try firstRefusal(parameters) else {
      Issue.record("\(parameters) is accepted")
      return
    }
  }

  @Test func laterEntriesKeepMethodAndSCID() throws {
    #expect(try refusal(["method": "did:webvh:1.0"]) == nil)
    #expect(try refusal(["scid": "x"]) != nil && refusal(["method": "did:webvh:2.0"]) != nil)
  }

  /// Early implementations wrote null.
  @Test func aNullIsTheDefault() throws {
    #expect(try refusal(["watchers": nil, "witness": nil, "nextKeyHashes": nil, "ttl": nil]) == nil)
  }

  @Test func theTimeToLiveIsAnHourOrAsTheDIDSays() throws {
    #expect(try verified(DIDController("example.com").log).ttl == 3600)
    #expect(try verified(DIDController("example.com", parameters: ["ttl": 0]).log).ttl == 0)
  }

  // MARK: - Movement and end

  @Test func onlyAPortableDIDMoves() throws {
    for (isPortable, names, expected) in [
      (true, true, nil), (false, true, EntryError.moved), (true, false, EntryError.moved),
    ] as [(Bool, Bool, EntryError?)] {
      var controller = try DIDController("example.com", key: key, parameters: ["portable": .bool(isPortable)])
      let moved = "did:webvh:\(controller.scid):example.org"
      try controller.update(
        document: ["id": .string(moved), "alsoKnownAs": names ? [.string(controller.did)] : []])
      #expect(error(controller) == expected.map { .invalidEntry(2, $0) })
      guard expected == nil else { continue }
      let log = try verified(controller.log)
      try log.require(try #require(WebVHDID(controller.did)))
      try log.require(try #require(WebVHDID(moved)))
      let other = try #require(WebVHDID("did:webvh:\(controller.scid):example.net"))
      #expect(throws: DIDLogError.otherDID) { try log.require(other) }
    }
  }

  @Test func aDIDBecomesPortableInItsFirstEntryOnly() throws {
    #expect(try refusal(["portable": true]) == .parameter("portable"))
    #expect(try refusal(first: ["portable": true], ["portable": true]) == nil)
    #expect(try refusal(first: ["portable": true], ["portable": false]) == nil)
  }

  @Test func theSCIDNeverChanges() throws {
    let other = try DIDController("example.com")
    var controller = try DIDController("example.com", key: key, parameters: ["portable": true])
    try controller.update(document: ["id": .string(other.did), "alsoKnownAs": [.string(controller.did)]])
    #expect(error(controller) == .invalidEntry(2, .moved))
    #expect(try firstRefusal([:], ["id": .string(other.did)]) == .moved)
    #expect(try firstRefusal([:], ["id": "did:example:1"]) == .malformed("the id of the document"))
  }

  @Test func nothingFollowsADeactivation() throws {
    var controller = try DIDController("example.com", key: key)
    try controller.update(parameters: ["deactivated": true])
    #expect(try verified(controller.log).isDeactivated)
    try controller.update(parameters: ["deactivated": false])
    #expect(error(controller) == .invalidEntry(3, .afterDeactivation))
  }
}
