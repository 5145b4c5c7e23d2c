import Foundation
import JSON
import TestSupport
import Testing
import Threading

@testable import Registry

/// The files of status lists, which grow with each revocation.
@Suite struct StatusListsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func list(_ timestamp: Int64, places: Int) -> JSON {
    [
      "revRegDefId": .string(Objects.registryID), "currentAccumulator": .string("acc \(timestamp)"),
      "revocationList": .array([JSON](repeating: 0, count: places)), "timestamp": .integer(timestamp),
    ]
  }

  private func registry() -> FileRegistry {
    let time = Locked<Int64>(1000)
    return FileRegistry(folder: folder.path) {
      time.withLock { time in
        time += 1
        return time
      }
    }
  }

  @Test func aRegistryHasManyStatusLists() throws {
    let registry = registry()
    for time in 0..<60 {
      try registry.publish(
        StatusUpdate(
          registryID: Objects.registryID, list: list(0, places: 1001), previousAccumulator: time == 0 ? nil : "1"))
    }
    for time: Int64 in [1001, 1030, 1060] {
      #expect(try registry.statusList(Objects.registryID, at: time)["timestamp"] == .integer(time))
    }
    #expect(try registry.statusList(Objects.registryID, at: 5000)["timestamp"] == 1060)
    #expect(throws: RegistryError.self) { try registry.statusList(Objects.registryID, at: 1000) }
  }

  @Test func aRegistryHasManyPlaces() throws {
    let registry = registry()
    let large = list(0, places: 200_001)
    try registry.publish(StatusUpdate(registryID: Objects.registryID, list: large))
    try registry.publish(StatusUpdate(registryID: Objects.registryID, list: large, previousAccumulator: "1"))
    let read = try registry.statusList(Objects.registryID, at: 1002)
    #expect(read["revocationList"] == large["revocationList"])
    try read.checkStatusList(of: Objects.registryID, at: 1002, size: 200_000)
  }

  /// An issuer can always revoke.
  @Test func theOldestListsMakeRoom() throws {
    var lists: StatusLists?
    var sizes: [Int] = []
    for time: Int64 in 1...40 {
      let text = StatusLists.text(lists, adding: list(time, places: 100), limit: 4000)
      sizes.append(text.count)
      lists = try StatusLists(text)
      #expect(try lists?.last().timestamp == time)
      #expect(try lists?.last(inForceAt: time - 1)?["timestamp"] == (time == 1 ? nil : .integer(time - 1)))
    }
    #expect(try (3_500...4_000).contains(#require(sizes.max())), "nothing is left out before the limit")
    #expect(try lists?.last(inForceAt: 1) == nil)
    // A list that is too long alone is kept.
    #expect(
      try StatusLists(StatusLists.text(lists, adding: list(50, places: 4000), limit: 4000))?.last().timestamp == 50)
  }

  @Test func aFileOfTheGreatestLengthIsKept() throws {
    let whole = { (count: Int, limit: Int) throws -> [UInt8] in
      let lists = try (1..<Int64(count)).reduce(nil as StatusLists?) { lists, time in
        try StatusLists(StatusLists.text(lists, adding: list(time, places: 5), limit: .max))
      }
      return StatusLists.text(lists, adding: list(Int64(count), places: 5), limit: limit)
    }
    let count = { (text: [UInt8]) in try JSON(parsing: text).requireArray().count }
    let (five, two) = (try whole(5, .max).count, try whole(2, .max).count)
    #expect(try count(whole(5, five)) == 5)
    #expect(try count(whole(5, five - 1)) == 2)
    // A half that is full stays so.
    #expect(try count(whole(5, 2 * two)) == 2 && count(whole(5, 2 * two - 2)) == 1)
  }

  @Test(arguments: ["", "{}", "[1]", "[{}]", #"[{"timestamp":"1"}]"#, "[{]", #"[{"timestamp":1,"timestamp":2}]"#])
  func brokenFilesAreErrors(text: String)
    throws
  {
    let path = folder.url.appending(path: "rev_status_list")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: path.appending(path: fileName(Objects.registryID)))
    let error = #expect(throws: RegistryError.self) { try registry().statusList(Objects.registryID, at: 2000) }
    guard case .invalid? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Another program may have written the file. The last list could then give a revoked credential back.
  @Test(arguments: [[100, 50], [100, 50, 60], [50, 100, 60]]) func aFileThatIsNotOldestFirstIsRefused(times: [Int64])
    throws
  {
    let text = { (times: [Int64]) in JSON.array(times.map { list($0, places: 1) }).bytes }
    let error = #expect(throws: JSONError.self) { try StatusLists(text(times)) }
    #expect("\(error, default: "")".contains("oldest first"))
    #expect(
      try StatusLists(text(times.sorted()))?.last(inForceAt: 99)?["timestamp"] == .integer(times.count > 2 ? 60 : 50))
    #expect(try StatusLists(text([50, 50]))?.last().timestamp == 50)
  }

  @Test func aFileWithoutListsTakesTheFirst() throws {
    let path = folder.url.appending(path: "rev_status_list")
    try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
    try Data("[]".utf8).write(to: path.appending(path: fileName(Objects.registryID)))
    let registry = registry()
    try registry.publish(
      StatusUpdate(registryID: Objects.registryID, list: list(0, places: 1), previousAccumulator: "1"))
    #expect(try registry.statusList(Objects.registryID, at: 1001)["timestamp"] == 1001)
  }

  @Test func theStatusOfSomeRegistriesIsRemembered() {
    var memory = StatusListMemory()
    // A megabyte. The memory takes sixteen.
    let list = PublicObject(list(1, places: 1 << 19))
    func isKnown(_ id: Int) -> Bool { memory.list(of: "\(id)", at: 1, now: 1000) != nil }
    for id in 0..<15 { memory.keep(list, of: "\(id)", at: 900, now: 1000) }
    #expect(isKnown(0) && isKnown(14))
    for id in 15..<17 { memory.keep(list, of: "\(id)", at: 900, now: 1000) }
    #expect(!isKnown(0) && isKnown(16), "more than the memory takes")
  }
}
