import AnonCreds
import JSON
import Sodium
import TestSupport
import Testing

@testable import Credentials

/// Honest presentations for one request, of which each part is replaced by the same part of another one.
@Suite struct RecombinedPresentationTests {
  private let issuer: TestIssuer
  private let request: JSON
  /// Two credentials of one holder.
  private let credentials: [String]
  private let linkSecret: SecretBytes

  private static let values = [
    TestIssuer.values, ["name": "Alice the Second", "age": "44", "degree": "Art", "Issue Date": "20200101"],
  ]

  init() throws {
    issuer = try TestIssuer()
    linkSecret = try issuer.engine.createLinkSecret()
    credentials = try Self.values.map { [issuer, linkSecret] in try Self.credential($0, issuer, linkSecret) }
    request = Self.request(nonce: "1234567890")
  }

  private static func request(nonce: String) -> JSON {
    [
      "nonce": .string(nonce), "name": "n", "version": "1.0",
      "requested_attributes": [
        "a": ["name": "name", "restrictions": [["cred_def_id": .string(TestIssuer.definitionID)]]],
        "b": ["names": ["degree", "Issue Date"]], "h": ["name": "age"],
      ],
      "requested_predicates": ["p": ["name": "age", "p_type": ">=", "p_value": 18]],
    ]
  }

  private static func credential(
    _ values: [String: String], _ issuer: TestIssuer, _ linkSecret: SecretBytes
  ) throws -> String {
    let (offer, definition) = (try issuer.offer(), try TestIssuer.text("cred_def"))
    let made = try issuer.engine.createRequest(
      offer: offer, definition: definition, linkSecret: linkSecret, linkSecretName: "main",
      identity: .proverDID("Th7MpTaRZVRYnPiabds81Y"))
    return try issuer.engine.process(
      credential: issuer.credential(answering: made.request, to: offer, values: values), metadata: made.metadata,
      linkSecret: linkSecret, definition: definition, registry: TestIssuer.text("rev_reg_def"))
  }

  /// The first credential answers `a` and `p`, the second one the other items.
  private func presentation(_ credentials: [String], for request: JSON, by linkSecret: SecretBytes) throws -> JSON {
    let items: [[PresentedItem]] = [
      [PresentedItem("a", .revealed), PresentedItem("p", .predicate)],
      [PresentedItem("b", .revealed), PresentedItem("h", .unrevealed)],
    ]
    let text = try issuer.engine.createPresentation(
      request: request.text,
      credentials: zip(credentials, items).map { PresentedCredential(credential: $0, items: $1) }, selfAttested: [:],
      linkSecret: linkSecret,
      objects: PublicObjects(
        schemas: [TestIssuer.schemaID: TestIssuer.text("schema")],
        definitions: [TestIssuer.definitionID: TestIssuer.text("cred_def")]))
    return try JSON(parsing: text)
  }

  private func isVerified(_ presentation: JSON) throws -> Bool {
    let objects = ListedObjects(
      schemas: [TestIssuer.schemaID: try TestIssuer.json("schema")],
      definitions: [TestIssuer.definitionID: try TestIssuer.json("cred_def")],
      registries: [TestIssuer.registryID: try TestIssuer.json("rev_reg_def")], statusLists: [])
    let verifier = PresentationVerifier(engine: issuer.engine, objects: objects) { 1_700_002_000 }
    return try verifier.verdict(on: presentation.text, for: request.text).isVerified
  }

  enum Donor: CaseIterable { case again, swapped, anotherHolder, anotherRequest }

  private func presentation(of donor: Donor) throws -> JSON {
    switch donor {
    case .again: return try presentation(credentials, for: request, by: linkSecret)
    case .swapped: return try presentation(credentials.reversed(), for: request, by: linkSecret)
    case .anotherRequest: return try presentation(credentials, for: Self.request(nonce: "99"), by: linkSecret)
    case .anotherHolder:
      let secret = try issuer.engine.createLinkSecret()
      let others = try Self.values.reversed().map { try Self.credential($0, issuer, secret) }
      return try presentation(others, for: request, by: secret)
    }
  }

  /// Only a whole proof that shows the same takes the place of another one.
  @Test(arguments: Donor.allCases) func noPartFitsIntoAnotherPresentation(donor: Donor) throws {
    let base = try presentation(credentials, for: request, by: linkSecret)
    let other = try presentation(of: donor)
    #expect(try isVerified(base))
    #expect(try isVerified(other) == (donor != .anotherRequest))
    let parts = base.parts
    for (path, value) in other.parts {
      guard let known = parts.first(where: { $0.path == path })?.value, known != value else { continue }
      var changed = base
      changed.set(path, to: value)
      #expect(try isVerified(changed) == (donor == .again && path == "/proof"), "\(path)")
    }
  }

  @Test func noPartFitsIntoThePlaceOfTheOtherCredential() throws {
    let base = try presentation(credentials, for: request, by: linkSecret)
    let parts = base.parts
    for (path, value) in parts {
      let place = path.replacing("/proofs/0", with: "/proofs/1")
      guard place != path, let known = parts.first(where: { $0.path == place })?.value, known != value else { continue }
      var changed = base
      changed.set(place, to: value)
      #expect(try !isVerified(changed), "\(path)")
    }
  }
}

extension JSON {
  /// All values inside of it with their paths, without the elements of long lists.
  fileprivate var parts: [(path: String, value: JSON)] {
    let inside: [(name: String, value: JSON)] =
      switch self {
      case .object(let object): object.members.map { ($0.key, $0.value) }
      case .array(let array): array.count > 8 ? [] : array.enumerated().map { ("\($0.offset)", $0.element) }
      default: []
      }
    return inside.flatMap { name, value in
      [("/\(name)", value)] + value.parts.map { ("/\(name)\($0.path)", $0.value) }
    }
  }
}
