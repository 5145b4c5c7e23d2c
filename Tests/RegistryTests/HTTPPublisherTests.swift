import Foundation
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import Registry

/// Publishing on a web server, and reading what was published.
@Suite struct HTTPPublisherTests {
  private func registry(
    on server: HTTPServer, token: String? = nil, now: (@Sendable () -> Int64)? = nil
  ) throws -> HTTPRegistry {
    let token = token.map { SecretBytes(copying: Array($0.utf8)) }
    return try #require(HTTPRegistry(base: server.endpoint, token: token, now: now))
  }

  /// A clock of which each look is a second later.
  private static func clock() -> @Sendable () -> Int64 {
    let time = Locked<Int64>(1_800_000_000)
    return {
      time.withLock { time in
        time += 1
        return time
      }
    }
  }

  private static func lists() throws -> [JSON] { try #require(try Objects.json("rev_status_lists").array) }

  private static func update(_ list: JSON) -> StatusUpdate {
    StatusUpdate(registryID: Objects.registryID, list: list, previousAccumulator: "1 2")
  }

  private static let listPath = StatusLists.path(of: Objects.registryID)

  @Test(arguments: [true, false]) func publishedObjectsAreRead(decodes: Bool) throws {
    let store = WebStore(decodes: decodes)
    let server = try store.open()
    let registry = try registry(on: server)
    for kind in [ObjectKind.schema, .definition, .revocationRegistry] {
      for _ in 0..<2 { try registry.publish(Objects.object(kind), kind, Objects.id(kind)) }
    }
    #expect(store.puts.count == 3)
    #expect(store.puts.allSatisfy { $0.header("Content-Type") == "application/json" })
    #expect(try registry.schema(Objects.schemaID) == Objects.json("schema"))
    #expect(try registry.definition(Objects.definitionID) == Objects.json("cred_def"))
    #expect(try registry.revocationRegistry(Objects.registryID) == Objects.json("rev_reg_def"))
    for list in try Self.lists().prefix(2) { try registry.publish(Self.update(list)) }
    #expect(
      try registry.statusList(Objects.registryID, at: .max)["revocationList"] == Self.lists()[1]["revocationList"])
    // A server of a folder has the files of a folder's registry.
    if decodes { #expect(try Set(store.files.keys) == Set(Objects.files().keys)) }
  }

  @Test func anotherObjectOfTheSameIDIsRefusedAlsoInARace() throws {
    let store = WebStore()
    let server = try store.open()
    let (registry, schema) = (try registry(on: server), try Objects.json("schema"))
    var other = schema
    other["attrNames"] = ["other"]
    let path = ObjectKind.schema.path(of: Objects.schemaID)
    store.change { $0.rival = { [other] in $0[path] = other.bytes } }
    let error = #expect(throws: PublicationError.self) { try registry.publish(schema, .schema, Objects.schemaID) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("attributes other"))
    #expect(store.files[path] == other.bytes)
    store.change { state in
      state.files = [:]
      state.rival = { $0[path] = schema.bytes }
    }
    try registry.publish(schema, .schema, Objects.schemaID)
    #expect(store.puts.count == 2)
  }

  @Test func manyWritersLoseNothing() throws {
    let store = WebStore()
    let server = try store.open()
    let (list, clock, done) = (try Self.lists()[1], Self.clock(), Monitor(0))
    for _ in 0..<4 {
      let registry = try registry(on: server, now: clock)
      Threads.shared.post {
        for _ in 0..<5 { try? registry.publish(Self.update(list)) }
        done.withLock { $0 += 1 }
      }
    }
    done.wait { $0 == 4 ? () : nil }
    #expect(try JSON(parsing: #require(store.files[Self.listPath])).array?.count == 20)
  }

  @Test func aRevocationOfAnotherWriterIsNotTakenBack() throws {
    let store = WebStore()
    let server = try store.open()
    let (registry, lists) = (try registry(on: server, now: Self.clock()), try Self.lists())
    try registry.publish(Self.update(lists[0]))
    let further = JSON.array([lists[0], lists[2]]).bytes
    store.change { $0.rival = { $0[Self.listPath] = further } }
    let lost = PublicationError.exists("it revokes the places 5, and this one does not")
    #expect(throws: lost) { try registry.publish(Self.update(lists[1])) }
    #expect(throws: lost) { try registry.publish(Self.update(lists[1])) }
    #expect(store.files[Self.listPath] == further)
    // Places that are to become valid again do.
    let issued = StatusUpdate(
      registryID: Objects.registryID, list: lists[1], previousAccumulator: "1 2", issued: [5])
    try registry.publish(issued)
    #expect(try JSON(parsing: #require(store.files[Self.listPath])).array?.count == 3)
  }

  @Test func aServerWithoutStrongTagsIsRefused() throws {
    let store = WebStore(hasStrongTags: false)
    let server = try store.open()
    let registry = try registry(on: server, now: Self.clock())
    try registry.publish(Self.update(Self.lists()[0]))
    let error = #expect(throws: PublicationError.self) { try registry.publish(Self.update(Self.lists()[1])) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("no strong ETag"))
    #expect(store.puts.count == 1)
  }

  @Test func theTokenLetsThisProgramWrite() throws {
    let store = WebStore()
    let server = try store.open()
    store.change { $0.token = "abc-12._~+/==" }
    let schema = try Objects.json("schema")
    #expect(throws: PublicationError.refused("\(server.endpoint) answers HTTP 401: ")) {
      try registry(on: server).publish(schema, .schema, Objects.schemaID)
    }
    try registry(on: server, token: "abc-12._~+/==").publish(schema, .schema, Objects.schemaID)
    #expect(store.files.count == 1)
  }

  @Test(arguments: ["", "a b", "a\r\nX: y", "\u{e9}"]) func aTokenHasNoOtherCharacters(token: String) {
    let secret = SecretBytes(copying: Array(token.utf8))
    #expect(HTTPRegistry(base: "https://example.com", token: secret) == nil)
  }

  @Test(arguments: [409, 429, 500, 503]) func aServerInTroubleMayBeAskedAgain(status: Int) throws {
    let store = WebStore()
    let server = try store.open()
    store.change { $0.refusals = [status] }
    let (registry, schema) = (try registry(on: server), try Objects.json("schema"))
    #expect(throws: PublicationError.unreachable("\(server.endpoint) answers HTTP \(status): not now")) {
      try registry.publish(schema, .schema, Objects.schemaID)
    }
    try registry.publish(schema, .schema, Objects.schemaID)
  }

  @Test func aServerThatIsNotThereIsUnreachable() throws {
    let registry = try #require(HTTPRegistry(base: "http://127.0.0.1:1"))
    let error = #expect(throws: PublicationError.self) {
      try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    guard case .unreachable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func aTailsFileIsUploadedOnce() throws {
    let store = WebStore()
    let (server, folder) = (try store.open(), try TemporaryFolder())
    let registry = try registry(on: server)
    try Data([1, 2, 3]).write(to: URL(filePath: folder.path + "/file"))
    for _ in 0..<2 {
      #expect(
        try registry.publish(tails: folder.path + "/file", hash: "abc", of: "x") == "\(server.endpoint)/tails/abc")
    }
    #expect(store.puts.count == 1 && store.files["tails/abc"] == [1, 2, 3])
    #expect(store.puts.first?.header("Content-Type") == "application/octet-stream")
    #expect(store.puts.first?.header("If-None-Match") == "*", "it replaces no file")
    // Another process puts the file there meanwhile.
    store.change { state in
      state.files = [:]
      state.rival = { $0["tails/abc"] = [1, 2, 3] }
    }
    #expect(try registry.publish(tails: folder.path + "/file", hash: "abc", of: "x") == "\(server.endpoint)/tails/abc")
    #expect(throws: PublicationError.self) { try registry.publish(tails: "/nowhere", hash: "def", of: "x") }
  }

  @Test(arguments: [true, false]) func aFileIsChangedAtItsPlace(decodes: Bool) throws {
    let store = WebStore(decodes: decodes)
    let server = try store.open()
    let first = try Self.lists()[0]
    store.change { $0.files[Self.listPath] = JSON.array([first]).bytes }
    try registry(on: server).publish(Self.update(Self.lists()[1]))
    #expect(try JSON(parsing: #require(store.files[Self.listPath])).array?.count == 2)
    #expect(store.files.count == 1)
  }

  /// A copy between the server and a writer may be out of date.
  @Test func aWriterReadsTheFileItself() throws {
    let headers = Locked<[String?]>([])
    let server = try HTTPServer { request in
      if request.method == "GET" { headers.withLock { $0.append(request.header("Cache-Control")) } }
      return HTTPServer.Response(status: request.method == "GET" ? 404 : 201)
    }
    let registry = try registry(on: server)
    #expect(throws: RegistryError.notFound) { try registry.schema("id") }
    try registry.publish(Objects.json("schema"), .schema, "id")
    #expect(headers.withLock { $0 } == [nil, "no-cache"])
    // Under both of its names.
    try registry.publish(Objects.json("schema"), .schema, "a:b")
    #expect(headers.withLock { $0 } == [nil, "no-cache", "no-cache", "no-cache"])
  }

  @Test func aLongHistoryIsRead() throws {
    let store = WebStore()
    let server = try store.open()
    var list = try Self.lists()[0]
    list["revocationList"] = .array([JSON](repeating: 0, count: 32_769))
    let (text, count) = (list.text, 80)
    store.change {
      $0.files[Self.listPath] = Array("[\(repeatElement(text, count: count).joined(separator: ","))]".utf8)
    }
    #expect(try #require(store.files[Self.listPath]).count > 5 << 20)
    #expect(try registry(on: server).statusList(Objects.registryID, at: .max) == list)
  }
}
