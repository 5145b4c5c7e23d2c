import Foundation
import JSON
import SQLite
import Sodium
import TestSupport
import Testing

@testable import Wallet

/// A home for wallets that is removed after the test, and a raw key, which costs no derivation.
final class Home {
  let folder: TemporaryFolder
  let key = Base58.encode((0..<32).map { UInt8($0) + 100 })
  let wrongKey = Base58.encode((0..<32).map { UInt8($0) + 101 })

  init() throws { folder = try TemporaryFolder() }

  func location(_ id: String = "wallet") throws -> WalletLocation { try WalletLocation(id: id, home: folder.path) }

  /// A new wallet, open.
  func wallet(_ id: String = "wallet") throws -> Wallet {
    try Wallet.create(location(id), key: key, derivation: .raw)
    return try open(id)
  }

  func open(_ id: String = "wallet") throws -> Wallet {
    try Wallet.open(location(id), key: key, derivation: .raw)
  }

  /// A copy of a sample wallet.
  func sample(_ id: String) throws -> WalletLocation {
    let origin = Fixtures.folder.appending(path: "wallet/wallet-sample/\(id)")
    try FileManager.default.copyItem(at: origin, to: folder.url.appending(path: id))
    return try location(id)
  }

  func database(_ id: String = "wallet") throws -> Database {
    try Database(path: location(id).file, .readWrite)
  }
}

extension Database {
  func rows(_ sql: String) throws -> [[Value]] {
    var rows: [[Value]] = []
    let statement = try prepare(sql)
    let columns = try #require(sql.firstIndex(of: "|") == nil ? sql.split(separator: ",").count : nil)
    try statement.forEach { row throws(SQLiteError) in
      var values: [Value] = []
      for column in 0..<columns { values.append(try row.value(column)) }
      rows.append(values)
    }
    return rows
  }
}

extension Record {
  init(json: JSON) throws {
    let object = try json.requireObject()
    self.init(
      type: try object.string("type"), id: try object.string("id"), value: try object.string("value"),
      tags: try Tags(json: .object(object.object("tags"))))
  }
}

/// The keys of the vectors.
func vectorKeys(_ json: JSON) throws -> WalletKeys {
  let names = ["type", "name", "value", "item_hmac", "tag_name", "tag_value", "tags_hmac"]
  var packed: [UInt8] = [0x97]
  for name in names { packed += try [0xc4, 0x20] + [UInt8](hex: #require(json["keys"]?["\(name)_key"]?.string)) }
  return try #require(WalletKeys(packed: packed))
}

/// Nanoseconds that the processor has worked for this thread, which a busy machine does not change.
func processorTime() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
