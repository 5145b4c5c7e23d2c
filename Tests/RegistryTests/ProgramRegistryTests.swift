import JSON
import TestSupport
import Testing
import Threading

@testable import Registry

/// The program's own answers for ids that the library does not know.
@Suite struct ProgramRegistryTests {
  private static let id = "did:cheqd:testnet:d8ac0372/resources/1"
  private static let schema: JSON = [
    "issuerId": "did:cheqd:testnet:d8ac0372", "name": "degree", "version": "1.0", "attrNames": ["a"],
  ]

  /// A program that answers each question with the result of `answer`, or with none.
  private final class Program: Sendable {
    let registry: ProgramRegistry
    let asked = Monitor<[JSON]>([])

    private struct Place {
      /// The registry owns the closure that looks here.
      weak var registry: ProgramRegistry?
    }

    init(milliseconds: Int = 60_000, _ answer: @escaping @Sendable (JSON) -> String? = { _ in nil }) {
      let itself = Locked(Place())
      let asked = asked
      registry = ProgramRegistry(milliseconds: milliseconds) { text in
        let question = (try? JSON(parsing: text)) ?? .null
        asked.withLock { $0.append(question) }
        guard let answer = answer(question), let number = Program.number(question) else { return }
        try? itself.withLock { $0.registry }?.take(answer, to: number)
      }
      itself.withLock { $0.registry = registry }
    }

    static func number(_ question: JSON) -> UInt32? { question["request"]?.integer.flatMap { UInt32(exactly: $0) } }

    func registries() -> Registries {
      Registries(cache: StubCache(), now: { 1_800_000_000 }, configured: { [registry] in [registry] })
    }
  }

  private static func object(_ json: JSON) -> String { (["object": json] as JSON).text }

  @Test func itsObjectsAreReadAndKept() throws {
    let program = Program { _ in Self.object(Self.schema) }
    let registries = program.registries()
    for _ in 0..<2 { #expect(try registries.schema(Self.id).json == Self.schema) }
    let asked = program.asked.withLock { $0 }
    #expect(asked.count == 1 && asked[0]["type"] == "schema" && asked[0]["id"] == .string(Self.id))
    #expect(Program.number(asked[0]) != nil)
  }

  @Test func aStatusListIsAskedForWithItsTime() throws {
    let list: JSON = ["timestamp": 7]
    let program = Program { _ in Self.object(list) }
    #expect(try program.registry.statusList(Self.id, at: 9) == list)
    #expect(try program.registry.newestStatusList(Self.id) == list)
    let asked = program.asked.withLock { $0 }
    #expect(asked.map { $0["type"] } == ["status_list", "status_list"])
    #expect(asked.map { $0["time"] } == [9, nil])
  }

  /// The library checks an answer like that of any registry.
  @Test(arguments: [["issuerId": "did:cheqd:testnet:other"], ["attrNames": 1], ["name": nil]] as [JSONObject])
  func anotherObjectIsRefused(change: JSONObject) throws {
    var wrong = Self.schema
    for (name, value) in change.members { wrong[name] = value.isNull ? Optional.none : value }
    let text = Self.object(wrong)
    let registries = Program { _ in text }.registries()
    let failure = #expect(throws: RegistryFailure.self) { try registries.schema(Self.id) }
    guard case .invalid? = failure?.error else { return #expect(Bool(false), "\(String(describing: failure))") }
  }

  /// The ids tell no issuer. Objects of these issuers have ids of which the program is never asked.
  @Test(arguments: [
    ("V4SGRU86Z58d6TV7PBUe6f", false), ("did:sov:V4SGRU86Z58d6TV7PBUe6f", false),
    ("did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f", false), ("did:webvh:Qm1:a.example", false),
    ("did:cheqd:testnet:d8ac0372", true), ("https://issuer.example", true),
  ])
  func itAnswersForNoIssuerOfIndyOrOfWebVH(issuer: String, isTaken: Bool) {
    var object = Self.schema
    object["issuerId"] = .string(issuer)
    let text = Self.object(object)
    let registry = Program { _ in text }.registry
    let id = "https://issuer.example/1"
    #expect(((try? registry.schema(id)) != nil) == isTaken)
    #expect(((try? registry.definition(id)) != nil) == isTaken)
    #expect(((try? registry.revocationRegistry(id)) != nil) == isTaken)
  }

  @Test(
    arguments: [
      ("{\"found\":false}", RegistryError.notFound), ("{\"error\":\"no net\"}", .unreachable("the program: no net")),
    ])
  func itCanLackAnObjectOrBeWithoutItsRegistry(answer: String, error: RegistryError) {
    let program = Program { _ in answer }
    #expect(throws: error) { try program.registry.schema(Self.id) }
  }

  @Test(
    arguments: [
      "", "x", "[]", "{}", "{\"object\":1}", "{\"found\":true}", "{\"error\":1}", "{\"object\":{},\"found\":false}",
      "{\"object\":\(String(repeating: "[", count: 1000))}",
    ])
  func garbageEndsAQuestion(answer: String) {
    let program = Program { _ in answer }
    #expect(throws: RegistryError.invalid("\(ProgramAnswerError.malformed)")) { try program.registry.schema(Self.id) }
  }

  @Test func aHugeAnswerEndsAQuestion() {
    let program = Program { _ in "{\"error\":\"\(String(repeating: "x", count: 3 << 20))\"}" }
    #expect(throws: RegistryError.invalid("\(ProgramAnswerError.tooLong)")) { try program.registry.schema(Self.id) }
  }

  @Test func aSecondAnswerCountsNothing() throws {
    let program = Program { _ in "{\"found\":false}" }
    #expect(throws: RegistryError.notFound) { try program.registry.schema(Self.id) }
    let answered = try #require(program.asked.withLock { $0 }.first.flatMap(Program.number))
    for number in [answered, answered &+ 1, 0, .max] as [UInt32] {
      #expect(throws: ProgramAnswerError.unexpected) { try program.registry.take("{\"found\":false}", to: number) }
    }
  }

  /// The program selects the wrong agent when it answers.
  @Test func theNumberOfAQuestionIsUnknownToOtherResolvers() throws {
    let other = Program { _ in nil }
    let questions = Locked<[UInt32]>([])
    let programs = (0..<2).map { _ in
      Program { question in
        let number = Program.number(question) ?? 0
        questions.withLock { $0.append(number) }
        #expect(throws: ProgramAnswerError.unexpected) { try other.registry.take("{\"found\":false}", to: number) }
        return "{\"found\":false}"
      }
    }
    for program in programs { #expect(throws: RegistryError.notFound) { try program.registry.schema(Self.id) } }
    #expect(Set(questions.withLock { $0 }).count == 2)
  }

  @Test func aQuestionWithoutAnAnswerEndsInTime() throws {
    let program = Program(milliseconds: 1)
    let failure = #expect(throws: RegistryError.self) { try program.registry.schema(Self.id) }
    #expect("\(failure.map { "\($0)" } ?? "")".contains("the program has not answered within"))
    #expect(throws: ProgramAnswerError.unexpected) { try program.registry.take("{\"found\":false}", to: 1) }
  }

  /// Also if two registries are asked at once, on threads of their own.
  @Test(arguments: [1, 2]) func aQuestionEndsWithTheCall(resolvers: Int) throws {
    let programs = (0..<resolvers).map { _ in Program { _ in nil } }
    let registries = Registries(cache: StubCache(), now: { 0 }) { programs.map(\.registry) }
    let failure = #expect(throws: RegistryFailure.self) {
      try Deadline.serving(.now) { _ = try registries.schema(Self.id) }
    }
    #expect("\(failure.map { "\($0.error)" } ?? "")".contains("within 0 ms"))
  }

  @Test func theEndOfTheResolverEndsItsQuestions() {
    let program = Program()
    let ended = Monitor<RegistryError?>(nil)
    Threads.shared.post {
      do throws(RegistryError) { _ = try program.registry.schema(Self.id) } catch { ended.withLock { $0 = error } }
    }
    program.asked.wait { $0.isEmpty ? nil : () }
    program.registry.close()
    #expect(ended.wait { $0 } == .unreachable("the program's resolver has ended"))
    #expect(throws: RegistryError.self) { try program.registry.schema(Self.id) }
    #expect(program.asked.withLock { $0.count } == 1)
  }

  /// Each question gets its own answer, though the program answers the last one first.
  @Test func questionsWaitSideBySide() throws {
    let program = Program()
    let results = Monitor<[String: JSON]>([:])
    for name in ["a", "b", "c"] {
      Threads.shared.post {
        guard let found = try? program.registry.schema("did:x:\(name)") else { return }
        results.withLock { $0[name] = found }
      }
    }
    let asked = program.asked.wait { $0.count == 3 ? $0 : nil }
    for question in asked.reversed() {
      try program.registry.take(Self.object(["id": question["id"] ?? .null]), to: #require(Program.number(question)))
    }
    let found = results.wait { $0.count == 3 ? $0 : nil }
    for name in ["a", "b", "c"] { #expect(found[name] == ["id": .string("did:x:\(name)")]) }
  }

  @Test(
    arguments: [
      Objects.schemaID, "did:indy:sovrin:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/a/1.0", "did:indy:x",
      "did:webvh:QmRRaLXwc6BjBuBPosSupJwEQ8w9f3znP7yfbpGfwcnLr6:example.com/resources/zQmX", "x", "did:a b",
    ])
  func itIsNotAskedForOtherIDs(id: String) {
    #expect(!Program().registry.supports(id))
  }

  @Test(arguments: [id, "did:web:example.com/x", "https://example.com/schema", "schema:cheqd:1"])
  func itIsAskedForIDsOfOtherMethods(id: String) {
    #expect(Program().registry.supports(id))
  }
}
