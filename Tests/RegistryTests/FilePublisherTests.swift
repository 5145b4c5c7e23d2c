import Foundation
import JSON
import Sodium
import TestSupport
import Testing
import Threading

@testable import Registry

/// Publishing in a folder, and reading what was published.
@Suite struct FilePublisherTests {
  private let folder: TemporaryFolder
  private let registry: FileRegistry

  init() throws {
    folder = try TemporaryFolder()
    registry = FileRegistry(folder: folder.path + "/registry")
  }

  @Test func publishedObjectsAreRead() throws {
    try registry.publish(Objects.json("schema"), .schema, Objects.schemaID)
    try registry.publish(Objects.json("cred_def"), .definition, Objects.definitionID)
    try registry.publish(Objects.json("rev_reg_def"), .revocationRegistry, Objects.registryID)
    #expect(try registry.schema(Objects.schemaID) == Objects.json("schema"))
    #expect(try registry.definition(Objects.definitionID) == Objects.json("cred_def"))
    #expect(try registry.revocationRegistry(Objects.registryID) == Objects.json("rev_reg_def"))
  }

  @Test func theSameObjectIsPublishedAgainAndAnotherIsNot() throws {
    var schema = try Objects.json("schema")
    try registry.publish(schema, .schema, Objects.schemaID)
    schema["attrNames"] = .array((schema["attrNames"]?.array ?? []).reversed())
    try registry.publish(schema, .schema, Objects.schemaID)
    schema["attrNames"] = ["other"]
    let error = #expect(throws: PublicationError.self) { try registry.publish(schema, .schema, Objects.schemaID) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("not other"))
    var definition = try Objects.json("cred_def")
    try registry.publish(definition, .definition, Objects.definitionID)
    definition["tag"] = "other"
    #expect(throws: PublicationError.self) {
      try registry.publish(definition, .definition, Objects.definitionID)
    }
  }

  @Test func theNumberOfASchemaComesFromItsID() throws {
    let first = try registry.number(ofSchema: Objects.schemaID)
    let hash = try #require(Int64(sha256(Array(Objects.schemaID.utf8)).hex.prefix(6), radix: 16))
    #expect(first == hash + 1)
  }

  @Test func eachStatusListHasATimeOfItsOwn() throws {
    let times = Locked<[Int64]>([])
    let registry = FileRegistry(folder: folder.path) {
      // Each second is read several times.
      times.withLock { times in
        times.append(1_800_000_000 + Int64(times.count) / 4)
        return times[times.count - 1]
      }
    }
    let lists = try #require(try Objects.json("rev_status_lists").array)
    try registry.publish(StatusUpdate(registryID: Objects.registryID, list: lists[0]))
    try registry.publish(StatusUpdate(registryID: Objects.registryID, list: lists[1]))
    for list in [lists[1], lists[2], lists[2]] {
      try registry.publish(
        StatusUpdate(registryID: Objects.registryID, list: list, previousAccumulator: "1 2", revoked: [5]))
    }
    let file = "\(folder.path)/rev_status_list/\(fileName(Objects.registryID))"
    let written = try #require(try JSON(parsing: Array(Data(contentsOf: URL(filePath: file)))).array)
    #expect(written.count == 4)  // a first list is written once
    let timestamps = written.compactMap { $0["timestamp"]?.integer }
    #expect(timestamps == Set(timestamps).sorted() && timestamps.count == 4)
    #expect(written[1]["revocationList"] == lists[1]["revocationList"])
  }

  @Test func aPublishedRevocationIsNotTakenBack() throws {
    let lists = try #require(try Objects.json("rev_status_lists").array)
    let clock = Locked<Int64>(1_800_000_000)
    let registry = FileRegistry(folder: folder.path) {
      clock.withLock { time in
        time += 1
        return time
      }
    }
    let update = { StatusUpdate(registryID: Objects.registryID, list: $0, previousAccumulator: "1 2") }
    try registry.publish(update(lists[2]))
    #expect(throws: PublicationError.exists("it revokes the places 5, and this one does not")) {
      try registry.publish(update(lists[1]))
    }
    try registry.publish(update(lists[2]))
  }

  @Test func aTailsFileIsCopiedAndNamed() throws {
    let tails = folder.url.appending(path: "tails-file")
    try Data([1, 2, 3]).write(to: tails)
    let local = try registry.publish(tails: tails.path, hash: "abc", of: "x")
    #expect(local == "\(folder.path)/registry/tails/abc")
    #expect(try Array(Data(contentsOf: URL(filePath: local))) == [1, 2, 3])
    let served = FileRegistry(folder: folder.path, tailsBase: "http://127.0.0.1:1/tails/")
    #expect(try served.publish(tails: tails.path, hash: "abc", of: "x") == "http://127.0.0.1:1/tails/abc")
    #expect(throws: PublicationError.self) { try registry.publish(tails: "/nowhere", hash: "def", of: "x") }
  }

  @Test func manyWritersLoseNothing() throws {
    let lists = try #require(try Objects.json("rev_status_lists").array)
    let clock = Locked<Int64>(1_800_000_000)
    let done = Monitor(0)
    for _ in 0..<4 {
      Threads.shared.post { [path = folder.path] in
        let registry = FileRegistry(folder: path) {
          clock.withLock { time in
            time += 1
            return time
          }
        }
        for _ in 0..<5 {
          try? registry.publish(
            StatusUpdate(registryID: Objects.registryID, list: lists[1], previousAccumulator: "1 2"))
        }
        done.withLock { $0 += 1 }
      }
    }
    done.wait { $0 == 4 ? () : nil }
    let file = "\(folder.path)/rev_status_list/\(fileName(Objects.registryID))"
    #expect(try JSON(parsing: Array(Data(contentsOf: URL(filePath: file)))).array?.count == 20)
  }

  @Test func withoutAPlaceToWriteNothingIsPublished() throws {
    let registries = Registries(cache: NoCache(), now: { 0 }) { [] }
    let failure = #expect(throws: PublicationFailure.self) {
      try registries.publish(Objects.json("schema"), .schema, Objects.schemaID)
    }
    #expect(failure?.error == .notConfigured)
  }

  @Test func aPublishedObjectIsReadAfterAFailedLook() throws {
    let registry = registry
    let registries = Registries(cache: NoCache(), now: { 0 }, publisher: { _ in registry }) { [registry] }
    #expect(throws: RegistryFailure.self) { try registries.schema(Objects.schemaID) }
    try registries.publish(Objects.json("schema"), .schema, Objects.schemaID)
    #expect(try registries.schema(Objects.schemaID).json == Objects.json("schema"))
  }

  private struct NoCache: RegistryCache {
    func find(_ kind: ObjectKind, _ id: String) -> String? { nil }
    func keep(_ text: String, _ kind: ObjectKind, _ id: String, at time: Int64) {}
  }
}
