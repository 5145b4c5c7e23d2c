import JSON
import Sodium
import TestSupport
import Testing

@testable import Wallet

@Suite struct LinkSecretTests {
  let home: Home
  let wallet: Wallet
  let vector: JSON

  init() throws {
    home = try Home()
    wallet = try home.wallet()
    vector = try Fixtures.json("wallet/link-secret.json")
  }

  private func count() throws -> Int { try wallet.recordCounts().reduce(0) { $0 + $1.count } }

  @Test func theRecordIsLibindys() throws {
    let digits = try #require(vector["decimal"]?.string)
    let value = try #require(vector["libindy_record_value"]).text
    let number = SecretBytes(
      copying: [UInt8](hex: "17711241861c1bd10cc69014530b8b9f70ece91bc3884c5ceb5617b18e9eb783"))
    #expect(LinkSecret.decimal(number).text == digits)
    #expect(String(decoding: LinkSecret.value(of: SecretBytes(copying: Array(digits.utf8))), as: UTF8.self) == value)

    try wallet.insert(Record(type: "Indy::MasterSecret", id: "main", value: value))
    #expect(try wallet.linkSecret().text == digits)
  }

  @Test(arguments: [
    ("", "0"), ("00", "0"), ("0001", "1"), ("ff", "255"), ("0100", "256"), ("03e8", "1000"),
    (
      String(repeating: "f", count: 64),
      "115792089237316195423570985008687907853269984665640564039457584007913129639935"
    ),
  ])
  func numbersAreWrittenInDecimal(hex: String, digits: String) {
    #expect(LinkSecret.decimal(SecretBytes(copying: [UInt8](hex: hex))).text == digits)
  }

  @Test func theFirstNeedMakesItAndLaterOnesFindIt() throws {
    let made = try wallet.linkSecret()
    #expect((60...78).contains(made.count))
    #expect(
      try wallet.find(type: "Indy::MasterSecret", id: "main")
        == Record(type: "Indy::MasterSecret", id: "main", value: #"{"value":{"ms":"\#(made.text)"}}"#))
    #expect(try wallet.linkSecret() == made)
    #expect(try count() == 1)
    wallet.close()
    #expect(try home.open().linkSecret() == made)
    #expect(try home.wallet("other").linkSecret() != made)
  }

  /// A number of one byte less has 75 digits at most; of twenty numbers, at least one has more.
  @Test func itHas256Bits() throws {
    let secrets = try (0..<20).map { try wallet.linkSecret(named: "\($0)") }
    #expect(try #require(secrets.map(\.count).max()) > 75)
  }

  @Test func eachNameHasItsOwn() throws {
    let named = try wallet.linkSecret(named: "alice's")
    #expect(try count() == 1)
    let main = try wallet.linkSecret()
    #expect(main != named)
    #expect(try wallet.linkSecret(named: "alice's") == named && wallet.linkSecret() == main)
  }

  @Test func programsCannotTouchIt() throws {
    _ = try wallet.linkSecret()
    #expect(throws: WalletError.reservedType) { try wallet.record(type: "Indy::MasterSecret", id: "main") }
    #expect(throws: WalletError.reservedType) { try wallet.apply(.delete(type: "Indy::MasterSecret", id: "main")) }
  }

  @Test(arguments: [
    "", "{}", "1", #"{"value":"1"}"#, #"{"value":{"ms":1}}"#, #"{"value":{"ms":""}}"#, #"{"value":{"ms":"-1"}}"#,
    #"{"value":{"ms":"١"}}"#, #"{"value":{"ms":"\#(String(repeating: "1", count: 79))"}}"#,
  ])
  func oneThatCannotBeReadIsReportedAndKept(value: String) throws {
    try wallet.insert(Record(type: "Indy::MasterSecret", id: "main", value: value))
    #expect(throws: WalletError.corrupt(reason: "a record of the type Indy::MasterSecret cannot be read")) {
      try wallet.linkSecret()
    }
    #expect(try wallet.find(type: "Indy::MasterSecret", id: "main")?.value == value)
  }
}
