import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// The records of an issuer's revocation registry.
@Suite struct RegistryRecordsTests {
  private static let id = "V4SGRU86Z58d6TV7PBUe6f:4:V4SGRU86Z58d6TV7PBUe6f:3:CL:12:tag1:CL_ACCUM:tag1"
  private static let definition = "Indy::RevocationRegistryDefinition"
  private static let info = "Indy::RevocationRegistryInfo"
  private let wallet: TestWallet

  init() throws {
    wallet = try TestWallet()
    try wallet.loadIssuerRecords()
  }

  private func records(_ type: String) -> LibraryRecords { wallet.records(type) }

  private func change(_ type: String, _ change: (inout JSON) -> Void) throws {
    let records = wallet.records(type)
    var json = try JSON(parsing: #require(try records.find(Self.id)).value)
    change(&json)
    try wallet.wallet.make([records.putting(Self.id, value: json.text)])
  }

  @Test func theRecordsOfLibindyAreRead() throws {
    let registry = try #require(try RegistryRecords(wallet: wallet.wallet).find(Self.id))
    #expect(registry.size == 10 && registry.lastIndex == 2 && registry.listed == [2])
  }

  @Test(arguments: [0, -1, 1, Int64.max]) func aWrongSizeIsAnError(size: Int64) throws {
    try change(Self.definition) { $0["value"]?["maxCredNum"] = .integer(size) }
    #expect(throws: CredentialsError.self) { try RegistryRecords(wallet: wallet.wallet).find(Self.id) }
  }

  @Test(arguments: [(10, 10, true), (10, 11, false), (10, -1, false), (1 << 20, 0, true), (1 << 20 + 1, 0, false)])
  func theLastPlaceIsOneOfTheRegistry(size: Int64, last: Int64, isRight: Bool) throws {
    try change(Self.definition) { $0["value"]?["maxCredNum"] = .integer(size) }
    try change(Self.info) { $0["curr_id"] = .integer(last) }
    let records = RegistryRecords(wallet: wallet.wallet)
    if isRight {
      #expect(try records.find(Self.id)?.lastIndex == last)
    } else {
      #expect(throws: CredentialsError.malformedRegistry("the wallet's record of \(Self.id) has a wrong size")) {
        try records.find(Self.id)
      }
    }
  }

  @Test func manyPlacesAreRead() throws {
    try change(Self.definition) { $0["value"]?["maxCredNum"] = 100_000 }
    try change(Self.info) { info in
      info["curr_id"] = 60_000
      info["used_ids"] = .array((1...60_000).map { .integer($0) })
    }
    let registry = try #require(try RegistryRecords(wallet: wallet.wallet).find(Self.id))
    #expect(registry.listed.count == 60_000)
    #expect(try StatusList(parsing: registry.statusList().text).isRevoked(at: 60_000))
    let pending = PendingStatus(
      previousAccumulator: "1", accumulator: "2", issued: [], revoked: Set((1...60_000).map { $0 }))
    #expect(try PendingStatus(parsing: pending.text) == pending)
  }

  /// Another process changes the records together, and a reader must see them together: a list with the accumulator of
  /// another list would be published.
  @Test func theRecordsAreOfOneMoment() throws {
    let (wallet, isOver) = (wallet.wallet, Monitor(false))
    let (accumulators, places) = (records("Indy::RevocationRegistry"), records(Self.info))
    let pending = records("msdk::rev_pending")
    let put: @Sendable (Int64) throws -> Void = { number in
      let status = PendingStatus(previousAccumulator: "0", accumulator: "\(number)", issued: [], revoked: [])
      try wallet.make([
        accumulators.putting(Self.id, value: RegistryRecords.entry("\(number)")),
        places.putting(Self.id, value: #"{"id":"r","curr_id":0,"used_ids":[\#(number)]}"#),
        pending.putting(Self.id, value: status.text),
      ])
    }
    try put(1)
    Threads.shared.post {
      for number: Int64 in 2...150 { try? put(number) }
      isOver.withLock { $0 = true }
    }
    while true {
      let isLast = isOver.withLock { $0 }
      let registry = try #require(try RegistryRecords(wallet: wallet).find(Self.id))
      #expect(registry.listed.map { "\($0)" } == [registry.accumulator])
      #expect(try registry.pending?.accumulator == registry.accumulator)
      if isLast { break }
    }
    #expect(try RegistryRecords(wallet: wallet).find(Self.id)?.accumulator == "150")
  }

  @Test func aPlaceThatIsNoNumberIsAnError() throws {
    try change(Self.info) { $0["used_ids"] = [2, "3"] }
    #expect(throws: JSONError.wrongType(key: "used_ids", expected: "integers")) {
      try RegistryRecords(wallet: wallet.wallet).find(Self.id)
    }
  }
}
