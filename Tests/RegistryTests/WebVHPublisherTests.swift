import Foundation
import HTTPServing
import JSON
import TestSupport
import Testing
import Threading
import WebVH

@testable import Registry

/// DIDs and objects that this program publishes under them, as a reader of the same web server finds them.
@Suite struct WebVHPublisherTests {
  private let store = WebStore()
  private let server: HTTPServer
  private let keys = MemoryKeys()
  private let clock = Self.clock()
  private let publisher: WebVHPublisher
  private let registry: WebVHRegistry

  init() throws {
    server = try store.open()
    publisher = try Self.publisher(at: server, keys, clock)
    registry = WebVHRegistry(WebResolver(reach: .anywhere, seen: NoVersions()), match: try #require(IDPattern(nil)))
  }

  private static func publisher(
    at server: HTTPServer, _ keys: MemoryKeys, _ clock: @escaping @Sendable () -> Int64
  ) throws -> WebVHPublisher {
    let files = try #require(HTTPRegistry(base: server.endpoint))
    return WebVHPublisher(
      files, keys: keys, resolver: WebResolver(reach: .anywhere, seen: NoVersions()), now: clock)
  }

  /// A clock of which each look is a second later. Readers tolerate the few that a test looks ahead.
  private static func clock() -> @Sendable () -> Int64 {
    let time = Locked(Int64(Date.now.timeIntervalSince1970))
    return {
      time.withLock { time in
        time += 1
        return time
      }
    }
  }

  private var place: String { "localhost%3A\(server.port):issuers:1" }

  private func created(at place: String? = nil) throws -> String {
    try publisher.create(at: place ?? self.place, DIDChange([:], ofNewDID: true))
  }

  private func content(_ kind: ObjectKind, _ did: String) throws -> (id: String, object: JSON) {
    let object = try Objects.object(kind).with(["issuerId": .string(did)])
    let issuer = try #require(WebVHDID(did))
    return (try ResourceID(of: object.requireObject(), by: issuer).text, object)
  }

  private func update(_ id: String, _ did: String, revoked: [Int], issued: [Int64] = []) -> StatusUpdate {
    let list = (0..<11).map { JSON.integer(revoked.contains($0) ? 1 : 0) }
    return StatusUpdate(
      registryID: id,
      list: [
        "issuerId": .string(did), "revRegDefId": .string(id), "currentAccumulator": "21 1", "timestamp": 0,
        "revocationList": .array(list),
      ], previousAccumulator: revoked.isEmpty ? nil : "21 0", issued: issued)
  }

  /// A registry with its first status list.
  private func publishedRegistry(_ did: String) throws -> String {
    let (id, object) = try content(.revocationRegistry, did)
    try publisher.publish(object, .revocationRegistry, id)
    try publisher.publish(update(id, did, revoked: []))
    return id
  }

  private func revoked(_ id: String) throws -> [Int] {
    let list = try registry.newestStatusList(id)["revocationList"]?.array ?? []
    return list.indices.filter { list[$0] == 1 }
  }

  @Test func publishedObjectsAreRead() throws {
    let did = try created()
    for kind in [ObjectKind.schema, .definition, .revocationRegistry] {
      let (id, object) = try content(kind, did)
      for _ in 0..<2 { try publisher.publish(object, kind, id) }
      switch kind {
      case .schema: #expect(try registry.schema(id) == object)
      case .definition: #expect(try registry.definition(id) == object)
      case .revocationRegistry: #expect(try registry.revocationRegistry(id) == object)
      }
    }
    #expect(store.puts.count == 4)
    #expect(
      store.puts.map { $0.header("Content-Type") } == ["text/jsonl"] + Array(repeating: "application/json", count: 3))
    #expect(store.files["issuers/1/did.jsonl"] != nil)
  }

  @Test func aFolderHasTheSameFiles() throws {
    let folder = try TemporaryFolder()
    let inFolder = WebVHPublisher(
      FileRegistry(folder: folder.path), keys: keys, resolver: WebResolver(reach: .anywhere, seen: NoVersions()),
      now: { 1_795_608_000 })
    let did = try inFolder.create(at: "example.com", DIDChange([:], ofNewDID: true))
    let (id, object) = try content(.schema, did)
    try inFolder.publish(object, .schema, id)
    let (registryID, revocation) = try content(.revocationRegistry, did)
    try inFolder.publish(revocation, .revocationRegistry, registryID)
    try inFolder.publish(update(registryID, did, revoked: []))
    try Data("tails".utf8).write(to: folder.url.appending(path: "made"))
    let url = try inFolder.publish(tails: folder.path + "/made", hash: "abc", of: id)
    #expect(url == "https://example.com/tails/abc")
    let names = try #require(FileManager.default.subpaths(atPath: folder.path))
    #expect(names.contains(".well-known/did.jsonl") && names.contains("tails/abc"))
    #expect(names.count { $0.hasPrefix("resources/") } == 3)
  }

  @Test func aPlaceHasOneDID() throws {
    _ = try created()
    let exists = PublicationError.exists("the place has the log of another DID")
    #expect(throws: PublicationFailure(.did, place, exists)) { try created() }
    _ = try created(at: "localhost%3A\(server.port):issuers:2")
    #expect(store.files.count == 2)
  }

  @Test func versionsFollowEachOther() throws {
    let text = try created()
    let did = try #require(WebVHDID(text))
    #expect(try publisher.update(did, DIDChange([:], ofNewDID: false)).hasPrefix("2-"))
    #expect(try publisher.update(did, .deactivation).hasPrefix("3-"))
    let (id, object) = try content(.schema, text)
    #expect(throws: PublicationError.refused("its issuer's DID is deactivated")) {
      try publisher.publish(object, .schema, id)
    }
    #expect(throws: PublicationFailure.self) { try publisher.update(did, DIDChange([:], ofNewDID: false)) }
  }

  @Test func writersOfOneDIDLoseNothing() throws {
    let did = try #require(WebVHDID(created()))
    let (done, change) = (Monitor(0), try DIDChange([:], ofNewDID: false))
    for _ in 0..<3 {
      let publisher = try Self.publisher(at: server, keys, clock)
      Threads.shared.post {
        for _ in 0..<2 { _ = try? publisher.update(did, change) }
        done.withLock { $0 += 1 }
      }
    }
    done.wait { $0 == 3 ? () : nil }
    #expect(try #require(store.files["issuers/1/did.jsonl"]).count { $0 == UInt8(ascii: "\n") } == 7)
  }

  /// A continued backup would be a fork, which all readers of the lost version refuse.
  @Test func aLogThatHasLostAVersionIsNotContinued() throws {
    let did = try #require(WebVHDID(created()))
    let first = store.files["issuers/1/did.jsonl"]
    _ = try publisher.update(did, DIDChange([:], ofNewDID: false))
    store.change { $0.files["issuers/1/did.jsonl"] = first }
    let error = #expect(throws: PublicationFailure.self) { try publisher.update(did, DIDChange([:], ofNewDID: false)) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("has become shorter"))
    #expect(store.files["issuers/1/did.jsonl"] == first)
  }

  @Test func objectsOfOthersAreRefused() throws {
    let did = try created()
    let (id, object) = try content(.schema, did)
    #expect(throws: PublicationError.refused("its id is not the hash of its content")) {
      try publisher.publish(object.with(["name": "other"]), .schema, id)
    }
    let stranger = try Self.publisher(at: server, MemoryKeys(), clock)
    #expect(throws: PublicationError.self) { try stranger.publish(object, .schema, id) }
    #expect(!publisher.takes(Objects.schemaID) && publisher.takes(id))
    #expect(store.files.count == 1)
  }

  /// A stranger who can write on the server has changed the links of a registry.
  @Test func aChangedFileIsNotSignedAgain() throws {
    let did = try created()
    let id = try publishedRegistry(did)
    let file = try #require(ResourceID(id)?.file)
    store.change { state in
      var json = (try? JSON(parsing: state.files[file] ?? [])) ?? .null
      json["links"] = []
      state.files[file] = json.bytes
    }
    #expect(throws: PublicationError.exists("no key of the DID's document has signed the resource")) {
      try publisher.publish(update(id, did, revoked: [1]))
    }
  }

  // MARK: - Status lists

  @Test func eachListIsOfASecondOfItsOwn() throws {
    let did = try created()
    let id = try publishedRegistry(did)
    #expect(try revoked(id) == [])
    try publisher.publish(update(id, did, revoked: [1]))
    try publisher.publish(update(id, did, revoked: [1, 3]))
    try publisher.publish(update(id, did, revoked: []))
    #expect(try revoked(id) == [1, 3], "the first status is published once")
    let file = try #require(ResourceID(id)?.file)
    let links = try JSON(parsing: #require(store.files[file]))["links"]?.array ?? []
    #expect(Set(links.compactMap { $0["timestamp"]?.integer }).count == 3)
  }

  @Test func aRevocationOfAnotherWriterIsNotTakenBack() throws {
    let did = try created()
    let id = try publishedRegistry(did)
    let other = try Self.publisher(at: server, keys, clock)
    try other.publish(update(id, did, revoked: [5]))
    #expect(throws: PublicationError.exists("it revokes the places 5, and this one does not")) {
      try publisher.publish(update(id, did, revoked: [1]))
    }
    try publisher.publish(update(id, did, revoked: [1], issued: [5]))
    #expect(try revoked(id) == [1])
  }

  /// The other writer's list comes between this one's look at the registry and its change.
  @Test func aListOfAFasterWriterComesFirst() throws {
    let did = try created()
    let id = try publishedRegistry(did)
    let before = store.files
    try publisher.publish(update(id, did, revoked: [5]))
    let after = store.files
    store.change { state in
      state.files = before
      state.rival = { $0 = after }
    }
    #expect(throws: PublicationError.exists("it revokes the places 5, and this one does not")) {
      try publisher.publish(update(id, did, revoked: [1]))
    }
    #expect(try revoked(id) == [5])
  }
}
