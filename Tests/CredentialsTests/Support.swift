import JSON
import Sodium
import TestSupport
import Wallet

@testable import Credentials

/// A new wallet, open, whose folder is removed after the test.
final class TestWallet {
  let wallet: Wallet
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let location = try WalletLocation(id: "wallet", home: folder.path)
    let key = Base58.encode([UInt8](repeating: 7, count: 32))
    try Wallet.create(location, key: key, derivation: .raw)
    wallet = try Wallet.open(location, key: key, derivation: .raw)
  }

  deinit { wallet.close() }

  var store: CredentialStore { CredentialStore(wallet: wallet) }

  func records(_ type: String = "Indy::Credential") -> LibraryRecords { LibraryRecords(of: type, in: wallet) }

  /// Adds the records of an issuer that libindy wrote.
  func loadIssuerRecords() throws {
    let records = try Fixtures.json("issuer/wallet_records.json").requireObject().array("records")
    for record in records { try put(record) }
  }

  /// Adds a record as another program would have written it.
  func put(_ record: JSON) throws {
    let records = records(try record.requireObject().string("type"))
    let id = try record.requireObject().string("id")
    let value = record["value"] ?? .null
    try wallet.make([records.putting(id, value: value.string ?? value.text, tags: Tags(json: record["tags"] ?? .null))])
  }

  /// A wallet as libindy leaves it: two credentials of one definition, the second revocable, and one of another.
  static func sample(with extra: Bool = true) throws -> TestWallet {
    let wallet = try TestWallet()
    for record in try Vectors.json("wallet_records").requireArray() { try wallet.put(record) }
    if extra { try wallet.put(Vectors.json("selection")["extra_record"] ?? .null) }
    return wallet
  }
}

enum Vectors {
  static func json(_ name: String) throws -> JSON { try Fixtures.json("anoncreds/\(name).json") }
  static func text(_ name: String) throws -> String { try json(name).text }

  static let definitionID = "V4SGRU86Z58d6TV7PBUe6f:3:CL:12:default"
  static let schema = SchemaName(issuer: "V4SGRU86Z58d6TV7PBUe6f", name: "degree", version: "1.0")
  static let first = "5f3e2b0a-0000-4000-8000-000000000001"
  static let revocable = "5f3e2b0a-0000-4000-8000-000000000002"
}
