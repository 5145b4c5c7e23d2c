import Foundation
import HTTP
import HTTPServing
import JSON
import TestSupport
import Testing

@testable import Registry

@Suite struct FolderRegistryTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (path, json) in try Objects.files() {
      let file = URL(filePath: "\(folder.path)/\(path)")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(json.bytes).write(to: file)
    }
    return folder
  }

  /// A server that decodes names before it looks them up, as servers of folders do, or one that does not. The tests' own
  /// server decodes once.
  private func server(decodes: Bool) throws -> HTTPServer {
    let files = try Objects.files()
    return try HTTPServer { request in
      let path = String(request.path.dropFirst())
      let file = files.first { $0.key == path || (!decodes && $0.key.removingPercentEncoding == path) }
      return file.map { HTTPServer.Response(status: 200, body: $0.value.bytes) } ?? HTTPServer.Response(status: 404)
    }
  }

  /// No file has such a name. A prover may have chosen the id.
  @Test(arguments: [300, 512]) func anIDThatIsTooLongForAFileIsNotThere(length: Int) throws {
    let folder = try folder()
    let registry = FileRegistry(folder: folder.path)
    let id = String(repeating: "%", count: length)
    #expect(throws: RegistryError.notFound) { try registry.schema(id) }
    #expect(throws: RegistryError.notFound) { try registry.definition(id) }
    #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(id) }
    #expect(throws: RegistryError.notFound) { try registry.statusList(id, at: .max) }
  }

  /// Other files of the same server may be a stranger's. A prover chooses the ids that a verifier looks up.
  /// A mark after a slash, or a letter that belongs to the slash after it, makes one character of both.
  @Test(arguments: [
    "/../../uploads/evil", "/./x", "/..", "\\..\\..\\uploads\\evil", "\u{600}/../../\u{301}b/evil",
    "a\u{600}/../\u{301}b", "/\u{200D}a/..", "/..\u{6DD}/x/../\u{301}",
  ])
  func anIDThatLeadsOutOfTheFolderIsNotThere(tag: String) throws {
    let server = try HTTPServer { _ in HTTPServer.Response(status: 200, body: Array("{}".utf8)) }
    defer { server.stop() }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    for id in ["V4SGRU86Z58d6TV7PBUe6f:3:CL:1:\(tag)", "did:indy:sov:V4SGRU86Z58d6TV7PBUe6f\(tag)"] {
      #expect(throws: RegistryError.notFound) { try registry.schema(id) }
      #expect(throws: RegistryError.notFound) { try registry.definition(id) }
      #expect(throws: RegistryError.notFound) { try registry.revocationRegistry(id) }
      #expect(throws: RegistryError.notFound) { try registry.statusList(id, at: .max) }
    }
    #expect(try registry.definition("V4SGRU86Z58d6TV7PBUe6f:3:CL:1:a..b/c") == [:])
  }

  @Test(arguments: [400, 404, 410, 414]) func anAddressThatAServerCannotHaveIsNotThere(status: Int) throws {
    let server = try HTTPServer { _ in HTTPServer.Response(status: status) }
    defer { server.stop() }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    #expect(throws: RegistryError.notFound) { try registry.schema(String(repeating: "%", count: 512)) }
  }

  private func check(_ registry: some Registry) throws {
    #expect(try registry.schema(Objects.schemaID) == Objects.json("schema"))
    #expect(try registry.definition(Objects.definitionID) == Objects.json("cred_def"))
    #expect(try registry.revocationRegistry(Objects.registryID) == Objects.json("rev_reg_def"))
    let lists = try #require(Objects.json("rev_status_lists").array)
    #expect(try registry.statusList(Objects.registryID, at: 1_700_000_000) == lists[0])
    #expect(try registry.statusList(Objects.registryID, at: 1_700_001_999) == lists[1])
    #expect(try registry.statusList(Objects.registryID, at: .max) == lists[2])
    #expect(throws: RegistryError.notFound) {
      try registry.statusList(Objects.registryID, at: 1_699_999_999)
    }
    #expect(throws: RegistryError.notFound) { try registry.schema("other") }
  }

  @Test func filesAreFoundByTheEncodedIDs() throws {
    let folder = try folder()
    try check(FileRegistry(folder: folder.path))
  }

  @Test(arguments: [true, false]) func serversGiveTheSame(decodes: Bool) throws {
    let server = try server(decodes: decodes)
    try check(try #require(HTTPRegistry(base: server.endpoint + "/")))
  }

  @Test func aFileThatIsNoJSONIsAWrongAnswer() throws {
    let folder = try folder()
    let path = "\(folder.path)/schema/\(percentEncoded(Objects.schemaID)).json"
    try Data("{".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: RegistryError.self) { try FileRegistry(folder: folder.path).schema(Objects.schemaID) }
    guard case .invalid? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [500, 204, 302]) func anotherStatusIsNoAnswer(status: Int) throws {
    let server = try HTTPServer { _ in HTTPServer.Response(status: status) }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    #expect(throws: RegistryError.unreachable("\(server.endpoint): HTTP \(status)")) { try registry.schema("id") }
  }

  @Test func anObjectOfMoreThanAMegabyteIsNoAnswer() throws {
    let server = try HTTPServer { _ in
      HTTPServer.Response(status: 200, body: [UInt8](repeating: 32, count: 1 << 20 + 1))
    }
    let registry = try #require(HTTPRegistry(base: server.endpoint))
    #expect(throws: RegistryError.unreachable("\(HTTPError.responseTooLarge)")) { try registry.schema("id") }
  }

  @Test(arguments: [
    ("https://example.com/r", true), ("http://localhost:8080", true), ("http://127.0.0.1", true),
    ("http://[::1]:80", true), ("http://example.com", false), ("http://127.0.0.1.example.com", false),
    ("http://localhost@example.com", false),
    ("http://user@localhost", false), ("http://user:word@127.0.0.1", false), ("HTTP://LocalHost", true),
    ("file:///etc", false), ("https://", false),
  ])
  func onlyThisMachineMayBeAskedInTheClear(base: String, isPermitted: Bool) {
    #expect((HTTPRegistry(base: base) != nil) == isPermitted)
  }

  @Test func aPatternSaysWhichIDsARegistryHas() throws {
    let registry = try #require(HTTPRegistry(base: "https://example.com", match: "^did:web:"))
    #expect(registry.supports("did:web:example.com/x"))
    #expect(!registry.supports(Objects.schemaID))
    #expect(HTTPRegistry(base: "https://example.com", match: "(") == nil)
    // The pattern takes too long for some ids.
    let slow = try #require(HTTPRegistry(base: "https://example.com", match: "^(a+)+$"))
    #expect(slow.supports("aaa") && !slow.supports(String(repeating: "a", count: 60) + "!"))
  }
}
