import AnonCreds
import JSON
import Soundness
import TestSupport
import Testing
import Threading

@testable import Credentials

/// Changes of each number, text and member in the proofs of honest presentations. Only changes within the range of a
/// number are left to the engine: the others are refused although the engine of these tests accepts everything.
@Suite struct ChangedProofTests {
  private static let bases = [
    "negative values and bounds", "two credentials, one with non-revocation", "another honest prover",
    "group, unrevealed, predicate of two credentials",
  ]

  private let file: SoundnessCases

  init() throws { file = try SoundnessCases() }

  private func known(_ base: String) throws -> JSON { try #require(file.cases.first { $0["name"]?.string == base }) }

  /// The parts of the proof, those inside long lists except.
  private func parts(_ base: String) throws -> [(path: String, value: JSON)] {
    (try known(base)["presentation"]?["proof"] ?? .null).parts(at: "/proof")
  }

  /// Expects that the presentation is refused after each change of the part at the path.
  private func expectRefusal(
    _ base: String, at path: String, changedTo values: [JSON?], by engine: (any VerifierEngine)? = CredulousEngine()
  ) throws {
    let known = try known(base)
    for value in values {
      var presentation = known["presentation"] ?? .null
      presentation.set(path, to: value)
      guard presentation != known["presentation"] else { continue }
      let verdict = try file.verdict(on: known, presentation, by: engine)
      #expect(!verdict.isVerified, "\(base): \(path) \(value?.text.prefix(80) ?? "removed")")
    }
  }

  // MARK: Numbers

  @Test(arguments: bases) func aNumberHasOneForm(base: String) throws {
    for (path, value) in try parts(base) {
      guard let text = value.string, text.isDecimal else { continue }
      let forms = ["0" + text, "-" + text, "+" + text, " " + text, text + " ", text + "x", text + ".0", "", "\u{661}"]
      try expectRefusal(base, at: path, changedTo: forms.map(JSON.string))
    }
  }

  @Test(arguments: bases) func aNumberHasItsRange(base: String) throws {
    for (path, value) in try parts(base) {
      guard let text = value.string, text.isDecimal else { continue }
      // One of these provers keeps `m2` far below its bound.
      let longer = text + String(repeating: "0", count: path.hasSuffix("/m2") ? 600 : 20)
      try expectRefusal(base, at: path, changedTo: [.string(longer), .string(String(repeating: "9", count: 1_300))])
    }
    try expectRefusal(base, at: "/proof/aggregated_proof/c_hash", changedTo: ["0"])
  }

  /// The revealed values, the commitments, and the answers of predicates about attributes depend on other parts.
  @Test(arguments: bases) func aNumberThatStandsTwiceIsTheSameTwice(base: String) throws {
    let names = ["/revealed_attrs/", "/a_prime", "/t/", "/mj"]
    for (path, value) in try parts(base) where names.contains(where: path.contains) {
      guard let text = value.string, text.isDecimal else { continue }
      try expectRefusal(base, at: path, changedTo: ["0", "1", .string(text.withAnotherLastDigit)])
    }
  }

  /// The engine's equations hold for no other numbers.
  @Test(arguments: ["negative values and bounds", "another honest prover"])
  func anotherNumberIsRefusedByTheChecksOrTheEngine(base: String) throws {
    let engine = try Engine.open(at: CredentialLibraries.anonCreds)
    for (path, value) in try parts(base) {
      guard let text = value.string, text.isDecimal || path.contains("/x_list/") else { continue }
      try expectRefusal(base, at: path, changedTo: [.string(text.withAnotherLastDigit)], by: engine)
    }
  }

  // MARK: Members

  @Test(arguments: bases) func anObjectHasExactlyItsMembers(base: String) throws {
    for (path, value) in try parts(base) {
      for name in value.object?.keys ?? [] { try expectRefusal(base, at: "\(path)/\(name)", changedTo: [nil]) }
      if value.object != nil { try expectRefusal(base, at: "\(path)/m1", changedTo: ["1"]) }
    }
  }

  @Test(arguments: bases) func aPartHasItsType(base: String) throws {
    for (path, value) in try parts(base) where !value.isNull {
      try expectRefusal(base, at: path, changedTo: [.null, .real(1.5), true, [], [:], "x", -1])
    }
  }

  @Test(arguments: bases) func aListHasExactlyItsElements(base: String) throws {
    for (path, value) in try parts(base) {
      guard let array = value.array, !array.isEmpty else { continue }
      var lists = [Array(array.dropFirst()), Array(array.dropLast()), array + array.suffix(1), array.prefix(1) + array]
      if array.count > 1 { lists.append(array.reversed()) }
      try expectRefusal(base, at: path, changedTo: lists.map(JSON.array))
    }
  }

  /// Bytes of other values than those of the numbers, and the same bytes in another division.
  @Test(arguments: bases) func noChangeOfTheHashedListIsAccepted(base: String) throws {
    let path = "/proof/aggregated_proof/c_list"
    let list = try #require(try known(base)["presentation"]?.at(path)?.array)
    let bytes = list.flatMap { $0.array ?? [] }
    try expectRefusal(base, at: path, changedTo: [.array([.array(bytes)]), .array(bytes.map { [$0] })])
    for index in list.indices {
      var generator = SplitMix64(seed: UInt64(index))
      let place = Int.random(in: 0..<(list[index].array?.count ?? 1), using: &generator)
      let byte = list[index].array?[place].integer ?? 0
      let others = [byte ^ 1, byte + 256, byte - 256].map(JSON.integer)
      try expectRefusal(base, at: "\(path)/\(index)/\(place)", changedTo: others + [.real(Double(byte))])
      try expectRefusal(base, at: "\(path)/\(index)", changedTo: [.array([0] + (list[index].array ?? []))])
    }
  }

  // MARK: Predicates

  @Test func aPredicateIsTheRequestedOne() throws {
    let base = "negative values and bounds"
    for (path, value) in try parts(base) where path.contains("/predicate/") {
      let near = value.integer.map { [JSON.integer($0 - 1), .integer($0 + 1), .integer(-$0), .string("\($0)")] } ?? []
      try expectRefusal(base, at: path, changedTo: near + ["GE", "GT", "LE", "LT", "EQ", "master_secret", "Age"])
    }
  }

  // MARK: Non-revocation

  @Test func anAnswerAboutRevocationHasOneForm() throws {
    let base = "another honest prover"
    for (path, value) in try parts(base) where path.contains("/x_list/") {
      guard let text = value.string else { continue }
      let order = "2523648240000001BA344D8000000007FF9F800000000010A10000000000000D"
      let forms = [text.lowercased(), "0" + text, String(text.dropFirst()), " " + text.dropFirst(), order, "-" + text]
      try expectRefusal(base, at: path, changedTo: forms.map(JSON.string))
    }
  }

  @Test func aPointHasOneFormAndItsPlace() throws {
    let base = "another honest prover"
    let points = try parts(base).filter { $0.path.contains("/c_list/") && $0.value.string != nil }
    #expect(points.count == 7)
    for (path, value) in points {
      let words = (value.string ?? "").split(separator: " ").map(String.init)
      var forms = [words.joined(separator: "  "), words.dropLast().joined(separator: " "), "1 " + words.joined()]
      for index in words.indices {
        var changed = words
        changed[index] = index.isMultiple(of: 2) ? "0" : words[index].withAnotherLastDigit
        forms.append(changed.joined(separator: " "))
        changed[index] = index.isMultiple(of: 2) ? "100" : words[index].lowercased() + "a"
        forms.append(changed.joined(separator: " "))
      }
      try expectRefusal(base, at: path, changedTo: forms.map(JSON.string) + points.prefix(2).map(\.value))
    }
  }

  /// The engine gets the points in one form, although a prover can choose among many.
  @Test func theEngineGetsPointsInCanonicalForm() throws {
    let known = try known("another honest prover")
    var presentation = known["presentation"] ?? .null
    let path = "/proofs/0/non_revoc_proof/c_list"
    for (name, point) in presentation.at("/proof" + path)?.object?.members ?? [] {
      presentation.set("/proof\(path)/\(name)", to: .string("9" + (point.string ?? "").dropFirst()))
    }
    let given = presentation["proof"] ?? .null
    let engine = NotingVerifier()
    #expect(try file.verdict(on: known, presentation, by: engine).isVerified)
    let received = try JSON(parsing: engine.presentation.withLock { $0 })["proof"] ?? .null
    for (_, point) in received.at(path)?.object?.members ?? [] {
      let words = (point.string ?? "").split(separator: " ")
      #expect(words.enumerated().allSatisfy { $0.isMultiple(of: 2) ? $1 == "1" : $1.count == 64 })
    }
    var others = received
    others.set(path, to: given.at(path))
    #expect(others == given && received != given)
  }
}

/// An engine that keeps what it gets.
private final class NotingVerifier: VerifierEngine {
  let presentation = Locked("")

  func verify(
    presentation: String, request: String, objects: PublicObjects, revocation: RevocationObjects
  ) throws(AnonCredsError) -> Bool {
    self.presentation.withLock { $0 = presentation }
    return true
  }
}

extension JSON {
  /// The value and all values inside with their paths; of a long list the first and the last.
  fileprivate func parts(at path: String) -> [(path: String, value: JSON)] {
    let inside: [(String, JSON)] =
      switch self {
      case .object(let object): object.members.map { ($0.key, $0.value) }
      case .array(let array):
        array.enumerated().filter { array.count <= 8 || [0, array.count - 1].contains($0.offset) }
          .map { ("\($0.offset)", $0.element) }
      default: []
      }
    return [(path, self)] + inside.flatMap { $1.parts(at: "\(path)/\($0)") }
  }
}

extension String {
  fileprivate var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }

  fileprivate var withAnotherLastDigit: String { dropLast() + (last == "7" ? "6" : "7") }
}
