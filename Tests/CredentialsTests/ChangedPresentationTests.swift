import AnonCreds
import JSON
import TestSupport
import Testing

@testable import Credentials

/// Presentations with random changes of their structure. A changed presentation that is verified says the same as the
/// unchanged one.
@Suite struct ChangedPresentationTests {
  private static let bases = ["plain", "non_revoked", "group", "unrevealed", "self_attested"]

  @Test(arguments: bases) func noChangeOfAPresentationMakesAnotherClaim(base: String) throws {
    let scene = try VerificationScene()
    let original = scene.presentation(base)
    let parts = Self.bases.flatMap { scene.presentation($0).subvalues }
    let claims = try Presentation(parsing: original.text).claims
    var generator = SplitMix64(seed: 17)
    var verified = 0
    for round in 0..<Self.rounds {
      var changed = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) { changed.change(with: parts, using: &generator) }
      guard changed != original, try scene.verdict(on: changed, for: scene.request(base)).isVerified else { continue }
      verified += 1
      #expect(try Presentation(parsing: changed.text).claims == claims, "round \(round) of \(base): \(changed.text)")
    }
    #expect(verified < Self.rounds / 2, "the changes are too harmless to say anything")
  }

  private static let rounds = 100
}

extension Presentation {
  /// The statements of a presentation, with raw values as the proof can tell them apart.
  fileprivate var claims: [String] {
    let revealed = answers.revealed.map { "\($0.key) \($0.value.proof) \($0.value.value.claim)" }
    let groups = answers.groups.map { group in
      "\(group.key) \(group.value.proof) \(group.value.values.map { "\($0.key) \($0.value.claim)" }.sorted())"
    }
    let others = [answers.unrevealed, answers.predicates].map { $0.map { "\($0.key) \($0.value)" }.sorted() }
    let proofs = proofs.map { "\($0.schemaID) \($0.definitionID) \($0.predicates)" }
    let attested = answers.selfAttested.keys.map(\.text).sorted()
    return revealed.sorted() + groups.sorted() + attested + others.joined() + proofs
  }
}

extension Presentation.Value {
  fileprivate var claim: String { AttributeEncoding.encode(raw) }
}

extension JSON {
  /// All values inside, and the value itself.
  fileprivate var subvalues: [JSON] {
    switch self {
    case .object(let object): [self] + object.members.flatMap(\.value.subvalues)
    // The long lists of bytes are worth one value.
    case .array(let array): [self] + (array.count > 8 ? array.prefix(1) : array[...]).flatMap(\.subvalues)
    default: [self]
    }
  }

  /// Changes one value, some levels down.
  fileprivate mutating func change(with parts: [JSON], using generator: inout SplitMix64) {
    let stops = Int.random(in: 0..<6, using: &generator) == 0
    switch self {
    case .object(let object) where !stops && !object.isEmpty:
      let (name, value) = object.members[Int.random(in: 0..<object.count, using: &generator)]
      var changed = value
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: self[name] = nil
      case 1: self["\(name)\u{301}"] = value
      case 2: self[parts.compactMap(\.string).randomElement(using: &generator) ?? name] = value
      default:
        changed.change(with: parts, using: &generator)
        self[name] = changed
      }
    case .array(var array) where !stops && !array.isEmpty:
      let index = Int.random(in: 0..<array.count, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: array.remove(at: index)
      case 1: array.insert(array[index], at: 0)
      default: array[index].change(with: parts, using: &generator)
      }
      self = .array(array)
    default: self = Self.scalar(near: self, parts, using: &generator)
    }
  }

  private static func scalar(near value: JSON, _ parts: [JSON], using generator: inout SplitMix64) -> JSON {
    switch (value, Int.random(in: 0..<4, using: &generator)) {
    case (.integer(let number), 0...1):
      return .integer(number &+ ([1, -1, 1 << 31].randomElement(using: &generator) ?? 1))
    case (.string(let text), 0): return .string(text + "0")
    case (.string(let text), 1): return .string(String(text.reversed()))
    case (_, 3): return ([.null, 0, "", [:], [], true] as [JSON]).randomElement(using: &generator) ?? .null
    default: return parts.randomElement(using: &generator) ?? .null
    }
  }
}
