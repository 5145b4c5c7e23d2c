import Foundation
import SQLite
import TestSupport
import Testing

@testable import Wallet

@Suite struct LifeCycleTests {
  let home: Home

  init() throws { home = try Home() }

  @Test(arguments: KeyDerivation.allCases) func aWalletOpensWithItsKeyOnly(derivation: KeyDerivation) throws {
    let location = try home.location()
    let key = derivation == .raw ? home.key : "a passphrase"
    let other = derivation == .raw ? home.wrongKey : "a passphrasf"
    try Wallet.create(location, key: key, derivation: derivation)
    #expect(throws: WalletError.accessDenied) { try Wallet.open(location, key: other, derivation: derivation) }
    for method in KeyDerivation.allCases where method != derivation {
      #expect(throws: WalletError.accessDenied) { try Wallet.open(location, key: home.key, derivation: method) }
    }
    try Wallet.open(location, key: key, derivation: derivation).close()
  }

  /// Equal keys must not show, and a nonce serves once.
  @Test(arguments: [KeyDerivation.raw, .argon2iInteractive])
  func walletsOfOneKeyHaveNothingInCommon(derivation: KeyDerivation) throws {
    let keys = WalletKeys()
    let (one, other) = (
      try Metadata(sealing: keys, key: home.key, derivation: derivation),
      try Metadata(sealing: keys, key: home.key, derivation: derivation)
    )
    #expect(one.sealedKeys.prefix(12) != other.sealedKeys.prefix(12) && one.sealedKeys != other.sealedKeys)
    #expect(derivation == .raw ? one.salt == nil : one.salt != other.salt)
    let headers = (ExportHeader(derivation, time: 1), ExportHeader(derivation, time: 1))
    #expect(headers.0.nonce != headers.1.nonce)
    #expect(derivation == .raw ? headers.0.salt == nil : headers.0.salt != headers.1.salt)
  }

  @Test func creatingTwiceIsRefusedAndHarmless() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    wallet.close()
    #expect(throws: WalletError.alreadyExists) { try Wallet.create(home.location(), key: home.key, derivation: .raw) }
    #expect(try home.open().record(type: "t", id: "i").value == "v")
  }

  @Test func anAbsentWalletIsNotFound() throws {
    #expect(throws: WalletError.notFound) { try home.open() }
    #expect(throws: WalletError.notFound) { try Wallet.delete(home.location(), key: home.key, derivation: .raw) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).isEmpty)
  }

  @Test func aWalletThatIsOpenIsRefusedButAWrongKeyFirst() throws {
    let wallet = try home.wallet()
    let wrong = home.wrongKey
    #expect(throws: WalletError.alreadyOpen) { try home.open() }
    #expect(throws: WalletError.accessDenied) { try Wallet.open(home.location(), key: wrong, derivation: .raw) }
    #expect(throws: WalletError.alreadyOpen) { try Wallet.delete(home.location(), key: home.key, derivation: .raw) }
    let link = home.folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.folder.path)
    let sameFile = try WalletLocation(id: "wallet", home: link)
    #expect(throws: WalletError.alreadyOpen) { try Wallet.open(sameFile, key: home.key, derivation: .raw) }
    wallet.close()
    try home.open().close()
  }

  @Test func aWalletThatWasDroppedCanBeOpenedAgain() throws {
    do { _ = try home.wallet() }
    try home.open().close()
  }

  /// Not even if the file is open again meanwhile.
  @Test func closingTwiceDoesNotFreeTheFileForOthers() throws {
    let first = try home.wallet()
    first.close()
    let second = try home.open()
    first.close()
    #expect(throws: WalletError.alreadyOpen) { try home.open() }
    second.close()
    try home.open().close()
  }

  /// The wallet's file is in its place: it was not removed.
  @Test func aConnectionThatCannotBeOpenedHasItsOwnReason() throws {
    let wallet = try home.wallet()
    try home.database().execute("DROP TABLE tags_plaintext")
    #expect(throws: WalletError.database(code: 1, reason: "no such table: tags_plaintext (SQLite 1)")) {
      try wallet.record(type: "t", id: "i")
    }
  }

  @Test func nothingWorksAfterClosing() throws {
    let wallet = try home.wallet()
    let verkey = try wallet.createKey()
    #expect(try wallet.keyPair(for: verkey) != nil)  // from now on it is kept in memory, as long as the wallet is open
    wallet.close()
    wallet.close()
    #expect(throws: WalletError.closed) { try wallet.apply(.add(Record(type: "t", id: "i", value: "v"))) }
    #expect(throws: WalletError.closed) { try wallet.record(type: "t", id: "i") }
    #expect(throws: WalletError.closed) { try wallet.createDID() }
    #expect(throws: WalletError.closed) { try wallet.keyPair(for: verkey) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.location().directory) == ["sqlite.db"])
  }

  @Test func deletingRemovesTheDirectoryForThoseWithTheKey() throws {
    try home.wallet().close()
    let wrong = home.wrongKey
    #expect(throws: WalletError.accessDenied) { try Wallet.delete(home.location(), key: wrong, derivation: .raw) }
    try Wallet.delete(home.location(), key: home.key, derivation: .raw)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path).isEmpty)
    #expect(throws: WalletError.notFound) { try home.open() }
    try home.wallet().close()
  }

  /// In a process of its own, in which hardly anybody else opens files.
  @Test func noFileOfAClosedWalletStaysOpen() async {
    await #expect(processExitsWith: .success) {
      let home = try Home()
      let count = { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      try home.wallet("first").close()
      let before = try count()
      for number in 0..<15 {
        let wallet = try home.wallet("\(number)")
        try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
        _ = try wallet.search(type: "t", query: "{}").next(1)
        try wallet.export(to: home.folder.path + "/\(number).export", key: home.key, derivation: .raw)
        let (location, wrong) = (try home.location("\(number)"), home.wrongKey)
        #expect(throws: WalletError.accessDenied) { try Wallet.open(location, key: wrong, derivation: .raw) }
        #expect(throws: WalletError.alreadyOpen) { try home.open("\(number)") }
        wallet.close()
        try Wallet.delete(location, key: home.key, derivation: .raw)
      }
      #expect(try count() < before + 10)
    }
  }

  @Test func onlyTheOwnerCanReadTheFiles() throws {
    let wallet = try home.wallet()
    try wallet.apply(.add(Record(type: "t", id: "i", value: "v")))
    let mode = { try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int }
    #expect(try mode(home.location().directory) == 0o700)
    for file in try FileManager.default.contentsOfDirectory(atPath: home.location().directory) {
      #expect(try mode(home.location().directory + "/" + file) == 0o600, "\(file)")
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "/", "a\\b", "a\u{0}b"]) func idsThatLeadElsewhereAreRefused(id: String) {
    #expect(throws: WalletError.malformedLocation) { try WalletLocation(id: id, home: "/tmp") }
  }

  @Test(arguments: ["", "a\u{0}b"]) func homesThatLeadElsewhereAreRefused(home: String) {
    #expect(throws: WalletError.malformedLocation) { try WalletLocation(id: "w", home: home) }
  }

  @Test(arguments: ["with space", "ünïcode", "..."]) func otherIdsAreDirectoryNames(id: String) throws {
    try home.wallet(id).close()
    #expect(FileManager.default.fileExists(atPath: "\(home.folder.path)/\(id)/sqlite.db"))
  }

  @Test func theHomeIsTheHomeOfLibindy() throws {
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(try WalletLocation(id: "w").file == "\(home)/.indy_client/wallet/w/sqlite.db")
  }

  @Test func draftsOfDeadProcessesAreRemoved() throws {
    let directory = try home.location().directory
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let abandoned = directory + "/sqlite.db.2147483646-1.new"
    try Data("half a wallet".utf8).write(to: URL(filePath: abandoned))
    let other = directory + "/other.db.2147483646-1.new"
    try Data("something else".utf8).write(to: URL(filePath: other))
    try home.wallet().close()
    #expect(!FileManager.default.fileExists(atPath: abandoned))
    #expect(FileManager.default.fileExists(atPath: other), "no draft of a wallet")
  }
}
