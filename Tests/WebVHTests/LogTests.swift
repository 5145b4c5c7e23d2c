import DIDComm
import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import WebVH

/// The noon of 25 November 2026, after all entries of the tests.
let now: Int64 = 1_795_608_000

/// The log, verified without a server.
func verified(_ log: [UInt8], witnesses: [UInt8]? = nil, now: Int64 = now) throws -> DIDLog {
  try UnwitnessedLog(log, now: now).witnessed(by: witnesses)
}

/// Logs of other implementations, and what the specification says about logs.
@Suite struct LogTests {
  private func file(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: Fixtures.folder.appending(path: "webvh/\(name)")))
  }

  /// A log for each scenario of the method's test suite.
  @Test(
    arguments: [
      ("basic-create", 1, "example.com"), ("basic-update", 2, "example.com"), ("multi-update", 3, "example.com"),
      ("multiple-update-keys", 2, "example.com"), ("key-rotation", 2, "example.com"),
      ("pre-rotation", 3, "example.com"), ("pre-rotation-consume", 3, "example.com"),
      ("portable", 1, "example.com"), ("portable-move", 2, "example.org"), ("services", 2, "example.com"),
      ("witness-threshold", 1, "example.com"), ("witness-update", 2, "example.com"),
      ("deactivate", 2, "example.com"),
    ])
  func logsOfOtherImplementationsAreValid(name: String, count: Int, host: String) throws {
    let log = try verified(file("\(name).jsonl"), witnesses: try? file("\(name).witness.json"))
    #expect(log.versions.count == count && log.latest.did.location.host == host)
    #expect(log.latest.document["id"] == .string("did:webvh:\(log.scid):\(host)"))
    #expect(log.isDeactivated == (name == "deactivate"))
  }

  /// The example of the specification, "Generate Entry Hash".
  @Test func theHashOfAnEntryIsThatOfTheSpecification() throws {
    let entry = try JSON(parsing: file("entry-hash.json"))
    #expect(Multihash.text(of: try entry.canonicalBytes()) == "QmQ6FJ4fk2xheSSQoEjVpTgx9AQPKhJgtR9hn1nr4EeCrZ")
  }

  @Test func theProofOfTheCryptosuiteIsValid() throws {
    let signed = try #require(try JSON(parsing: file("eddsa-jcs-2022.json")).object)
    var document = signed
    document["proof"] = nil
    let proof = try #require(try signed.proofs(now: now, limit: 1).first)
    let key = try VerKey(multibase: "z6MkrJVnaZkeFzdQyMZu1cgjg7k1pZZ6pvBQ7XJPt4swbTQ2")
    try proof.verify(document, by: key)
    #expect(throws: ProofError.wrongSignature) { try proof.verify(document, by: KeyPair().verkey) }
    document["name"] = "Another"
    #expect(throws: ProofError.wrongSignature) { try proof.verify(document, by: key) }
    document["@context"] = []
    #expect(throws: ProofError.malformed("@context")) { try proof.verify(document, by: key) }
  }

  /// A letter or a digit of a valid log becomes another one.
  @Test(arguments: 0..<200) func aChangedLogIsRefused(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = ["key-rotation", "portable-move", "pre-rotation", "deactivate"]
    var log = try file("\(names[Int(seed) % names.count]).jsonl")
    var index: Int
    repeat { index = Int.random(in: log.indices, using: &random) } while !isAlphanumeric(log[index])
    log[index] = log[index] == UInt8(ascii: "7") ? UInt8(ascii: "5") : UInt8(ascii: "7")
    #expect(throws: DIDLogError.self) { try verified(log) }
  }

  private func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }

  @Test(arguments: ["", "\n", "x", "{}", "[]", "null\n", "\n{}", "{\"versionId\":\"1-x\"}"])
  func otherTextsAreRefused(text: String) {
    #expect(throws: DIDLogError.self) { try verified(Array(text.utf8)) }
  }

  @Test func theEndOfTheLastLineMayBeMissing() throws {
    let controller = try DIDController("example.com")
    #expect(try verified(controller.log.dropLast()).versions.count == 1)
    #expect(throws: DIDLogError.self) { try verified(controller.log + [UInt8(ascii: "\n")]) }
  }

  @Test func longLogsAreRefused() throws {
    #expect(throws: DIDLogError.tooLarge) { try verified([UInt8](repeating: 0x20, count: UnwitnessedLog.limit + 1)) }
    let line = Array("{}\n".utf8)
    let lines = [UInt8]((0...4096).map { _ in line }.joined())
    #expect(throws: DIDLogError.tooLarge) { try verified(lines) }
  }

  // MARK: - Versions

  @Test func aVersionIsFoundByItsIDItsNumberAndItsTime() throws {
    var controller = try DIDController("example.com")
    try controller.update(document: ["alsoKnownAs": ["https://example.com"]])
    try controller.update()
    let log = try verified(controller.log)
    let ids = controller.versions
    #expect(try log.version(.latest).id == ids[2] && log.version(.id(ids[0])).id == ids[0])
    #expect(try log.version(.number(2)).document["alsoKnownAs"] == ["https://example.com"])
    #expect(try log.version(.time("2025-01-01T00:00:00Z")).id == ids[0])
    #expect(try log.version(.time("2025-01-02T23:59:59Z")).id == ids[1])
    #expect(try log.version(.time("2026-01-01T00:00:00Z")).id == ids[2])
    let absent: [VersionQuery] = [
      .id("1-x"), .number(0), .number(4), .number(.min), .time("2024-12-31T23:59:59Z"), .time("now"),
    ]
    for query in absent { #expect(throws: DIDLogError.noSuchVersion) { try log.version(query) } }
  }

  @Test func aQueryAsksForOneVersion() throws {
    let did = try DIDController("example.com").did
    #expect(VersionedDID(did)?.query == .latest)
    #expect(VersionedDID("\(did)?versionId=1-Qm")?.query == .id("1-Qm"))
    #expect(VersionedDID("\(did)?versionNumber=2")?.query == .number(2))
    #expect(VersionedDID("\(did)?versionTime=2025-01-01T00:00:00Z")?.query == .time("2025-01-01T00:00:00Z"))
    for query in ["", "x=1", "versionNumber=0", "versionNumber=x", "versionTime=2025", "versionId=1&versionNumber=1"] {
      #expect(VersionedDID("\(did)?\(query)") == nil)
    }
  }
}
