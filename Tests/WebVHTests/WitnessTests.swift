import DIDComm
import JSON
import Sodium
import TestSupport
import Testing

@testable import WebVH

@Suite struct WitnessTests {
  private let witnesses = [KeyPair(), KeyPair(), KeyPair()]

  private func rule(_ threshold: Int64, _ witnesses: [KeyPair]) -> JSON {
    [
      "threshold": .integer(threshold),
      "witnesses": .array(witnesses.map { ["id": .string($0.verkey.didKey)] }),
    ]
  }

  private func proofs(_ approvals: [(version: String, by: [KeyPair])]) throws -> [UInt8] {
    let entries = try approvals.map { version, keys -> JSON in
      let document: JSON = ["versionId": .string(version)]
      let proofs = try keys.map { try DIDController.proof(of: document, by: $0, method: $0.verkey.didURL) }
      return document.with(["proof": .array(proofs)])
    }
    return JSON.array(entries).bytes
  }

  private func isApproved(_ controller: DIDController, _ proofs: [UInt8]?) throws -> Bool {
    do { _ = try verified(controller.log, witnesses: proofs) } catch DIDLogError.witnesses { return false }
    return true
  }

  @Test func enoughWitnessesApproveEachVersion() throws {
    var controller = try DIDController("example.com", parameters: ["witness": rule(2, witnesses)])
    let first = controller.versions[0]
    #expect(try !isApproved(controller, nil) && !isApproved(controller, proofs([])))
    #expect(try !isApproved(controller, proofs([(first, [witnesses[0]])])))
    #expect(try !isApproved(controller, proofs([(first, [witnesses[0], witnesses[0]])])))
    #expect(try !isApproved(controller, proofs([(first, [witnesses[0], KeyPair()])])))
    #expect(try isApproved(controller, proofs([(first, [witnesses[0], witnesses[2]])])))
    try controller.update()
    let second = controller.versions[1]
    #expect(try !isApproved(controller, proofs([(first, witnesses)])))
    #expect(try isApproved(controller, proofs([(second, witnesses)])))
    #expect(
      try isApproved(controller, proofs([(second, [witnesses[0]]), (first, [witnesses[0]]), (second, [witnesses[1]])])))
  }

  /// A proof for a version that is not published approves nothing.
  @Test func anUnpublishedVersionDoesNotCount() throws {
    var controller = try DIDController("example.com", parameters: ["witness": rule(1, witnesses)])
    try controller.update()
    let unpublished = controller.versions[1]
    controller.entries.removeLast()
    #expect(try !isApproved(controller, proofs([(unpublished, witnesses)])))
  }

  /// The two DIDs have the same witnesses.
  @Test func aProofForAnotherDIDDoesNotCount() throws {
    let rule: [String: JSON] = ["witness": rule(1, witnesses)]
    let (one, other) = (
      try DIDController("example.com", parameters: rule), try DIDController("example.com", parameters: rule)
    )
    let approval = try proofs([(one.versions[0], witnesses)])
    #expect(try isApproved(one, approval) && !isApproved(other, approval))
    var renamed = try JSON(parsing: approval).array ?? []
    renamed[0]["versionId"] = .string(other.versions[0])
    #expect(try !isApproved(other, JSON.array(renamed).bytes))
  }

  @Test func theFormerWitnessesApproveAChangeOfWitnesses() throws {
    let (old, new) = (witnesses[0], witnesses[1])
    for change in [rule(1, [new]), [:]] {
      var controller = try DIDController("example.com", parameters: ["witness": rule(1, [old])])
      try controller.update(parameters: ["witness": change])
      let versions = controller.versions
      #expect(try !isApproved(controller, proofs([(versions[0], [old]), (versions[1], [new])])))
      #expect(try isApproved(controller, proofs([(versions[1], [old])])))
      try controller.update()
      let third = controller.versions[2]
      #expect(try isApproved(controller, proofs([(versions[1], [old])])) == (change == [:]))
      #expect(try isApproved(controller, proofs([(versions[1], [old]), (third, [new])])))
    }
  }

  @Test func theFirstWitnessesApproveTheEntryThatNamesThem() throws {
    var controller = try DIDController("example.com")
    try controller.update(parameters: ["witness": rule(1, [witnesses[0]])])
    #expect(try !isApproved(controller, nil))
    #expect(try isApproved(controller, proofs([(controller.versions[1], [witnesses[0]])])))
  }

  @Test func anInvalidProofCountsNothing() throws {
    let controller = try DIDController("example.com", parameters: ["witness": rule(1, witnesses)])
    var file = try JSON(parsing: proofs([(controller.versions[0], witnesses)])).array ?? []
    let valid = file[0]["proof"]?.array ?? []
    file[0]["proof"] = .array(valid.map { $0.with(["created": "2025-01-02T00:00:00Z"]) } + ["x"])
    #expect(try !isApproved(controller, JSON.array(file).bytes))
    file[0]["proof"] = .array(["x"] + valid)
    #expect(try isApproved(controller, JSON.array(file).bytes))
    for text in ["", "{}", "[", "x"] { #expect(try !isApproved(controller, Array(text.utf8))) }
  }

  @Test func aWitnessCountsOnceAndAThresholdCanBeReached() {
    for rule in [rule(2, [witnesses[0], witnesses[0]]), rule(4, witnesses), rule(-1, witnesses), rule(0, witnesses)] {
      #expect(throws: ParameterError.self) { try WitnessRule.reading(rule) }
    }
  }
}
