import AnonCreds
import JSON
import Soundness
import TestSupport
import Testing

@testable import Credentials

/// Presentations as data, honest and forged, each with the result that it must have.
@Suite struct SoundnessCasesTests {
  private let file: SoundnessCases

  init() throws { file = try SoundnessCases() }

  @Test(arguments: 0..<47) func aCaseHasItsRequiredResult(number: Int) throws {
    let known = file.cases[number]
    let verdict = try file.verdict(on: known)
    let isVerified = known["verified"] == true
    #expect(verdict.isVerified == isVerified, "\(known["name"]?.string ?? ""): \(verdict.reasons)")
    guard !isVerified else { return }
    let check = try #require(known["check"]?.string)
    #expect(verdict.reasons.first?.check?.rawValue == (check == "engine" ? nil : check), "\(verdict.reasons)")
  }

  @Test func allCasesAreTried() { #expect(file.cases.count == 47) }

  /// The engine gets no presentation of which a check has failed.
  @Test func aRefusedPresentationDoesNotReachTheEngine() throws {
    for known in file.cases where known["verified"] == false && known["check"] != "engine" {
      let verdict = try file.verdict(on: known, by: CredulousEngine())
      #expect(!verdict.isVerified, "\(known["name"]?.string ?? "")")
    }
  }

  /// No engine of today keeps to the strict range; one prover of the cases does. Other proofs are not concerned.
  @Test func theStrictCheckRefusesTheProofsOfNonRevocationOfTodaysEngines() throws {
    for known in file.cases where known["verified"] == true && known["gap"] == nil {
      let proofs = known["presentation"]?["proof"]?["proofs"]?.array ?? []
      let isStrict = known["name"] == "another honest prover"
      let hasNonRevocation = !isStrict && proofs.contains { $0["non_revoc_proof"]?.object != nil }
      let verdict = try file.verdict(on: known, isStrict: true)
      #expect(
        verdict.reasons == (hasNonRevocation ? [Verdict.Remark(code: .proof, referent: nil, check: .context)] : []),
        "\(known["name"]?.string ?? "")")
    }
  }

  @Test func eachCheckOfTheTableRefusesACase() {
    let refusing = Set(file.cases.compactMap { $0["check"]?.string })
    let untried = SoundnessCheck.allCases.map(\.rawValue).filter { !refusing.contains($0) }
    // The changes of honest presentations try these.
    #expect(untried == ["N3", "K1", "B3", "S1"])
  }

  /// A key that does not fit the schema is a reason, and no fault of this side.
  @Test(arguments: ["/schema", "/n", "/rms", "/r"]) func aKeyFitsItsSchema(part: String) throws {
    let known = try #require(file.cases.first)
    var objects = try #require(file.objects(of: known))
    for id in objects.schemas.keys where part == "/schema" {
      let names = objects.schemas[id]?["attrNames"]?.array ?? []
      objects.schemas[id]?["attrNames"] = .array(names + ["more"])
    }
    for id in objects.definitions.keys {
      switch part {
      case "/n": objects.definitions[id]?.set("/value/primary/n", to: "15")
      case "/rms": objects.definitions[id]?.set("/value/primary/rms", to: "15")
      case "/r": objects.definitions[id]?.set("/value/primary/r/more", to: "15")
      default: break
      }
    }
    let verdict = try file.verdict(on: known, by: CredulousEngine(), objects)
    #expect(verdict.reasons == [Verdict.Remark(code: .proof, referent: nil, check: .key)])
  }
}

/// The file of the cases.
struct SoundnessCases {
  let cases: [JSON]
  private let published: JSON

  /// After all times in the cases.
  private static let now: Int64 = 3_000

  /// Read once, since the file is large.
  private static let file = Result { try Fixtures.json("anoncreds/soundness_cases.json").requireObject() }

  init() throws {
    let file = try Self.file.get()
    (cases, published) = (try file.array("cases"), file["objects"] ?? .null)
  }

  /// The public objects of a case.
  func objects(of known: JSON) -> ListedObjects? {
    guard let objects = published[known["objects"]?.string ?? ""] else { return nil }
    let byID = { (kind: String) in
      Dictionary((objects[kind]?.object?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    return ListedObjects(
      schemas: byID("schemas"), definitions: byID("definitions"), registries: byID("registries"),
      statusLists: objects["lists"]?.array ?? [])
  }

  /// The verdict on a case, or on another presentation in its place.
  func verdict(
    on known: JSON, _ presentation: JSON? = nil, by engine: (any VerifierEngine)? = nil,
    _ objects: ListedObjects? = nil, isStrict: Bool = false
  ) throws -> Verdict {
    let verifier = PresentationVerifier(
      engine: try engine ?? Engine.open(at: CredentialLibraries.anonCreds),
      objects: try #require(objects ?? self.objects(of: known)), isStrict: isStrict
    ) { Self.now }
    return try verifier.verdict(
      on: (presentation ?? known["presentation"] ?? .null).text, for: (known["request"] ?? .null).text)
  }
}
