import Foundation
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import Registry

/// Faults of a registry's files, and differences from the published objects.
@Suite struct FolderFaultTests {
  private let folder: TemporaryFolder
  private let registry: FileRegistry

  init() throws {
    folder = try TemporaryFolder()
    registry = FileRegistry(folder: folder.path)
  }

  private func write(_ text: String, to path: String) throws {
    let file = URL(filePath: "\(folder.path)/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(folder.path)/\(path)")), as: UTF8.self)
  }

  private func isUnreachable(_ error: PublicationError?) -> Bool {
    if case .unreachable = error { true } else { false }
  }

  private static let listPath = StatusLists.path(of: Objects.registryID)

  // MARK: Files

  @Test func aBrokenFileIsNotReplaced() throws {
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    try write("{", to: path)
    let error = #expect(throws: PublicationError.self) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    #expect(isUnreachable(error))
    #expect(try text(path) == "{")
    for content in ["{", "{}", "[1]", "[{}]", "[{\"timestamp\":\"x\"}]"] {
      try write(content, to: Self.listPath)
      let update = StatusUpdate(registryID: Objects.registryID, list: [:], previousAccumulator: "1")
      #expect(isUnreachable(#expect(throws: PublicationError.self) { try registry.publish(update) }), "\(content)")
      #expect(try text(Self.listPath) == content)
    }
  }

  @Test func aFolderInThePlaceOfAFileIsAnError() throws {
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
    let error = #expect(throws: RegistryError.self) { try registry.schema(Objects.schemaID) }
    guard case .unreachable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let refusal = #expect(throws: PublicationError.self) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    #expect(isUnreachable(refusal))
  }

  @Test func aFileInThePlaceOfTheFolderTakesNothing() throws {
    try write("x", to: "file")
    let registry = FileRegistry(folder: folder.path + "/file")
    #expect(throws: RegistryError.notFound) { try registry.schema(Objects.schemaID) }
    let error = #expect(throws: PublicationError.self) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    #expect(isUnreachable(error))
  }

  /// A web server of another user serves the files.
  @Test func everybodyMayReadTheFiles() throws {
    let registry = FileRegistry(folder: folder.path + "/new")
    try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: "\(folder.path)/new\(path)")[.posixPermissions] as? Int
    }
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    #expect(try [mode(""), mode("/schema"), mode("/\(path)")] == [0o755, 0o755, 0o644])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new/schema").count == 1)
  }

  @Test func aTailsFileThatIsThereStays() throws {
    try write("first", to: "tails/abc")
    try write("second", to: "file")
    #expect(try registry.publish(tails: folder.path + "/file", hash: "abc", of: "x") == "\(folder.path)/tails/abc")
    #expect(try text("tails/abc") == "first")
    let error = #expect(throws: PublicationError.self) { try registry.publish(tails: "/nowhere", hash: "def", of: "x") }
    guard case .refused? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  // MARK: Differences

  @Test(arguments: ["name", "version", "issuerId", "attrNames"]) func anotherSchemaDiffersInOneMember(member: String)
    throws
  {
    let schema = try Objects.json("schema")
    #expect(schema.isSame(.schema, as: schema.with(["more": 1])))
    #expect(!schema.isSame(.definition, as: schema.with(["more": 1])))
    let other = schema.with([member: member == "attrNames" ? ["x"] : "x"])
    #expect(!schema.isSame(.schema, as: other) && !other.isSame(.schema, as: schema))
    try registry.publish(schema, .schema, Objects.schemaID)
    #expect(throws: PublicationError.exists(schema.difference(.schema, from: other))) {
      try registry.publish(other, .schema, Objects.schemaID)
    }
    #expect(schema.difference(.definition, from: other) == "its content differs")
  }

  @Test func theAttributesOfBothSchemasAreNamed() {
    let (here, there): (JSON, JSON) = (["attrNames": ["b", "a"]], ["attrNames": ["d", "c"]])
    #expect(here.difference(.schema, from: there) == "it has the attributes a, b, and not c, d")
  }

  // MARK: Status lists

  private func list(_ entries: [JSON], at time: Int64 = 0) -> JSON {
    ["revocationList": .array(entries), "timestamp": .integer(time)]
  }

  private func publish(_ entries: [JSON], issued: [Int64] = [], at time: Int64) throws {
    try FileRegistry(folder: folder.path, now: { time }).publish(
      StatusUpdate(registryID: Objects.registryID, list: list(entries), previousAccumulator: "1", issued: issued))
  }

  @Test func theFirstFivePlacesAreNamed() throws {
    try publish([JSON](repeating: 1, count: 8), at: 1_000)
    let error = PublicationError.exists("it revokes the places 0, 1, 2, 3, 4, and this one does not")
    #expect(throws: error) { try publish([JSON](repeating: 0, count: 8), at: 2_000) }
    #expect(throws: PublicationError.exists("it revokes the places 6, 7, and this one does not")) {
      try publish([JSON](repeating: 1, count: 6), at: 2_000)
    }
    #expect(throws: PublicationError.exists("it revokes the places 7, and this one does not")) {
      try publish([JSON](repeating: 1, count: 6), issued: [6], at: 2_000)
    }
    try publish([JSON](repeating: 1, count: 6), issued: [6, 7], at: 2_000)
    #expect(try registry.statusList(Objects.registryID, at: 2_000)["revocationList"]?.array?.count == 6)
  }

  /// Another clock may be far ahead. Nobody waits for it, and the lists stay in their order.
  @Test func aTimeThatIsFarAheadIsNotWaitedFor() throws {
    try publish([0], at: 5_003)
    try publish([1], at: 5_000)
    #expect(try registry.statusList(Objects.registryID, at: 5_004)["revocationList"] == [1])
    #expect(try registry.statusList(Objects.registryID, at: 5_003)["revocationList"] == [0])
    try publish([1], at: 4_704)
    #expect(try registry.newestStatusList(Objects.registryID)["timestamp"] == 5_005)
  }

  /// Readers would not find the new list for as long, and the issuer would take the credential for revoked.
  @Test(arguments: [5_005, .max] as [Int64]) func aListAfterOneThatReadersDoNotAcceptYetIsRefused(time: Int64) throws {
    try publish([0], at: time)
    let error = #expect(throws: PublicationError.self) { try publish([1], at: 4_704) }
    guard case .refused(let reason)? = error else {
      Issue.record("it is not refused")
      return
    }
    #expect(reason.contains("\(time)"))
    #expect(try registry.newestStatusList(Objects.registryID)["revocationList"] == [0])
  }

  /// The clock goes on while the list waits.
  @Test(arguments: [0, 1, 2] as [Int64]) func aTimeThatIsNearIsWaitedFor(ahead: Int64) throws {
    try publish([0], at: 5_000 + ahead)
    let looks = Locked<Int64>(0)
    let registry = FileRegistry(folder: folder.path) {
      looks.withLock { looks in
        looks += 1
        return 5_000 + looks / 4
      }
    }
    try registry.publish(
      StatusUpdate(registryID: Objects.registryID, list: list([1]), previousAccumulator: "1"))
    #expect(looks.withLock { $0 } >= 4 * (ahead + 1))
    #expect(try registry.statusList(Objects.registryID, at: 5_000 + ahead)["revocationList"] == [0])
    #expect(try registry.statusList(Objects.registryID, at: 5_001 + ahead)["revocationList"] == [1])
  }

  /// Without a clock of the caller's, the system's counts.
  @Test(arguments: [5_000, nil] as [Int64?]) func aListHasTheTimeOfTheClock(time: Int64?) throws {
    let clock = time.map { time in { @Sendable in time } }
    let (store, before) = (WebStore(), Int64(Date().timeIntervalSince1970))
    let server = try store.open()
    let web = try #require(HTTPRegistry(base: server.endpoint, now: clock))
    let file = FileRegistry(folder: folder.path, now: clock)
    for publisher in [web, file] as [any Publisher & Registry] {
      try publisher.publish(StatusUpdate(registryID: Objects.registryID, list: list([0])))
      let written = try publisher.statusList(Objects.registryID, at: .max)["timestamp"]?.integer ?? 0
      let after = Int64(Date().timeIntervalSince1970)
      #expect(time.map { $0 == written } ?? (before...after).contains(written))
    }
  }

  // MARK: Over HTTP

  /// A name that is the same in both spellings is asked for once.
  @Test func aFileIsAskedForUnderEachOfItsNames() throws {
    let paths = Locked<[String]>([])
    let server = try HTTPServer { request in
      paths.withLock { $0.append(request.path) }
      return HTTPServer.Response(status: 404)
    }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    #expect(throws: RegistryError.notFound) { try registry.schema("plain-id_1.~") }
    #expect(paths.withLock { $0 } == ["/schema/plain-id_1.~.json"])
    #expect(throws: RegistryError.notFound) { try registry.schema("a:b") }
    #expect(paths.withLock { $0.count } == 3)
    #expect(registry.supports("anything"))
  }

  @Test(arguments: ["-", ".", "_", "~", "+", "/", "=", "a", "Z", "0"]) func aTokenHasTheseCharacters(token: String) {
    #expect(HTTPRegistry(base: "https://example.com", token: SecretBytes(copying: Array(token.utf8))) != nil)
  }

  @Test(arguments: ["!", "\"", ":", "@", "[", "`", "{", "\u{7f}", ";", "%"]) func aTokenHasNoOther(token: String) {
    #expect(HTTPRegistry(base: "https://example.com", token: SecretBytes(copying: Array("a\(token)".utf8))) == nil)
  }

  /// Each lost attempt is a success of another writer.
  @Test func aWriterGivesUpAfterFiftyAttempts() throws {
    let attempts = Locked(0)
    let server = try HTTPServer { request in
      guard request.method == "PUT" else { return HTTPServer.Response(status: 404) }
      attempts.withLock { $0 += 1 }
      return HTTPServer.Response(status: 412)
    }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    #expect(throws: PublicationError.unreachable("\(server.endpoint): other writers change \(path) all the time")) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    #expect(attempts.withLock { $0 } == 50)
  }

  @Test func theReasonOfAServerIsCut() throws {
    let server = try HTTPServer { request in
      HTTPServer.Response(
        status: request.method == "PUT" ? 403 : 404, body: [UInt8](repeating: 0x78, count: 300))
    }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    let text = "\(server.endpoint) answers HTTP 403: " + String(repeating: "x", count: 200)
    #expect(throws: PublicationError.refused(text)) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
  }

  @Test func anObjectHasAMebibyteAtMost() throws {
    let schema = try Objects.json("schema")
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    let longest = schema.text + String(repeating: " ", count: (1 << 20) - schema.text.utf8.count)
    try write(longest, to: path)
    #expect(try registry.schema(Objects.schemaID) == schema)
    try write(longest + " ", to: path)
    #expect(throws: RegistryError.self) { try registry.schema(Objects.schemaID) }
  }

  @Test func everyOtherByteIsEncoded() {
    for byte in UInt8(0)..<128 {
      let text = String(Character(Unicode.Scalar(byte)))
      let isKept = text.wholeMatch(of: /[A-Za-z0-9\-._~]/) != nil
      let digits = String(byte, radix: 16, uppercase: true)
      #expect(percentEncoded(text) == (isKept ? text : "%" + (byte < 16 ? "0" : "") + digits))
    }
    #expect(percentEncoded("é") == "%C3%A9")
  }
}
