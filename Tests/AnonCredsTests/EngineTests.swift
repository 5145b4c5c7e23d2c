import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import AnonCreds

@Suite struct EngineTests {
  private let engine: Engine

  init() throws { engine = try Engine.open(at: CredentialLibraries.anonCreds) }

  @Test func aLibraryThatIsMissingIsUnavailableForAReason() {
    let error = #expect(throws: AnonCredsError.self) { try Engine.open(at: "/nowhere/libanoncreds.so") }
    #expect(error?.description.contains("/nowhere/libanoncreds.so") == true)
    #expect(error?.description.hasPrefix("AnonCreds engine not available: ") == true)
  }

  @Test func aLibraryOfAnotherKindIsUnavailable() {
    #expect(throws: AnonCredsError.unavailable(reason: "libc.so.6 has no function anoncreds_version")) {
      try Engine.open(at: "libc.so.6")
    }
  }

  @Test func theVersionIsKnown() { #expect(engine.version == "0.2.3") }

  /// An older library takes other arguments.
  @Test func anOlderEngineThanNeededIsUnavailable() throws {
    try engine.require(0, 2, 3)
    try engine.require(0, 1, 99)
    for needed in [(0, 2, 4), (0, 3, 0), (1, 0, 0)] {
      #expect(throws: AnonCredsError.self) { try engine.require(needed.0, needed.1, needed.2) }
    }
  }

  @Test func anErrorHasTheEnginesCodeAndMessage() {
    let error = #expect(throws: AnonCredsError.self) {
      try engine.createOffer(schemaID: Objects.schemaID, definitionID: Objects.definitionID, keyProof: "{}")
    }
    #expect(error?.code == .input)
    #expect(error?.description.contains("missing field") == true)
  }

  /// The numbers are the library's.
  @Test func aNumberIsTheCodeOfAnError() {
    let codes: [AnonCredsError.Code] = [
      .input, .io, .invalidState, .unexpected, .credentialRevoked, .invalidRevocationIndex, .proofRejected,
      .registryFull,
    ]
    #expect((1...8).map { AnonCredsError.Code(rawValue: $0) } == codes)
  }

  @Test func linkSecretsAreNumbersAndDiffer() throws {
    let (first, second) = (try engine.createLinkSecret(), try engine.createLinkSecret())
    #expect(first != second)
    #expect(first.count > 70)
    #expect(first.exposed().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }

  @Test func rawValuesAreEncodedAsOthersEncodeThem() throws {
    let table = try #require(Objects.json("encoding").array)
    let raw = table.compactMap { $0["raw"]?.string }
    #expect(raw.count == 16)
    #expect(try engine.encode(raw) == table.compactMap { $0["encoded"]?.string })
  }

  @Test func eachThreadGetsTheMessageOfItsOwnError() {
    let faults = [("{}", "schema_id"), (#"{"schema_id":"a"}"#, "cred_def_id")]
    DispatchQueue.concurrentPerform(iterations: 8) { number in
      let (offer, field) = faults[number % 2]
      for _ in 0..<200 {
        let error = #expect(throws: AnonCredsError.self) {
          try engine.withMemory { memory throws(AnonCredsError) in try memory.object(offer, engine.functions.offer) }
        }
        #expect(error?.description.contains("missing field `\(field)`") == true)
      }
    }
  }
}
