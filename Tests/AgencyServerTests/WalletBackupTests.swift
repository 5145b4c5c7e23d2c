import AgencyWire
import Foundation
import HTTPServing
import JSON
import SQLite
import Sodium
import TestSupport
import Testing
import Threading

@testable import AgencyServer

/// Backups of wallets at the agency, as clients make and fetch them.
@Suite struct WalletBackupTests {
  let folder: TemporaryFolder
  private let time = Locked<Int64>(1_700_000_000)

  init() throws { folder = try TemporaryFolder() }

  private func agency(_ kind: StoreKind = .sqlite, backupBytes: Int = 1000) throws -> AgencyServer {
    var rules = Agency.Rules()
    rules.backupBytes = backupBytes
    return try AgencyServer(
      dataFolder: folder.path, database: kind == .sqlite ? nil : PostgreSQLServer.newDatabase(), rules: rules,
      clock: { [time] in time.withLock { $0 } })
  }

  @Test(arguments: StoreKind.allCases)
  func anotherDeviceFetchesTheNewestBackup(kind: StoreKind) throws {
    let server = try agency(kind)
    let old = try BackupDevice(server)
    #expect(try old.notes() == [])
    try old.begin()
    #expect(try old.notes() == ["WALLET_BACKUP_READY"])
    try old.store([1, 2, 3])
    try old.store([4, 5, 6])
    #expect(try old.notes().sorted() == ["WALLET_BACKUP_ACK", "WALLET_BACKUP_READY"])
    let (first, second) = (try old.messages()[0].uid, try old.messages()[1].uid)
    #expect(try old.messages(WireMessageFilter(uids: [second, "other"])).map(\.uid) == [second])
    #expect(try old.messages(WireMessageFilter(statusCodes: ["MS-103"])).map(\.uid) == [first, second])
    #expect(try old.messages(WireMessageFilter(statusCodes: ["MS-106"])).isEmpty)
    let new = try BackupDevice(server)
    #expect(try new.restore(with: old.recoveryKey) == [4, 5, 6])
    #expect(try old.notes().contains("WALLET_BACKUP_RESTORED"))
    #expect(try new.notes() == [])
    server.stop()
  }

  /// The passphrase of the present key would not open it.
  @Test(arguments: StoreKind.allCases)
  func aBackupUnderAnEarlierKeyIsRefused(kind: StoreKind) throws {
    let server = try agency(kind)
    var device = try BackupDevice(server)
    let earlier = device.recoveryKey
    try device.begin()
    try device.store([1], under: earlier.verkey.text)
    device.recoveryKey = KeyPair()
    try device.begin()
    #expect(throws: BackupDevice.Refused(status: 409)) { try device.store([2], under: earlier.verkey.text) }
    #expect(throws: BackupDevice.Refused(status: 400)) { try device.store([2], under: "x") }
    try device.store([3], under: device.recoveryKey.verkey.text)
    let other = try BackupDevice(server)
    #expect(try other.restore(with: earlier) == [1])
    #expect(try other.restore(with: device.recoveryKey) == [3])
    server.stop()
  }

  @Test func theAddressOfADeadDropIsAHash() throws {
    let server = try agency()
    let device = try BackupDevice(server)
    for count in [63, 65] {
      #expect(throws: BackupDevice.Refused(status: 400)) {
        try device.begin(at: String(repeating: "a", count: count))
      }
    }
    for digit in ["A", "g", "/", ":", "`"] {
      #expect(throws: BackupDevice.Refused(status: 400)) { try device.begin(at: String(repeating: digit, count: 64)) }
    }
    let request = RetrieveDeadDrop(of: device.recoveryKey)
    func begin(withPlaceOf count: Int) throws {
      let begin = InitBackup(
        recoveryVerKey: request.recoveryVerKey, address: request.address,
        cloudAddress: [UInt8](repeating: 1, count: count))
      try device.ask(begin, of: device.agent, from: device.client.keys)
    }
    for count in [0, 4097] {
      #expect(throws: BackupDevice.Refused(status: 400)) { try begin(withPlaceOf: count) }
    }
    #expect(try device.notes() == [])
    try begin(withPlaceOf: 4096)
    server.stop()
  }

  @Test(arguments: StoreKind.allCases)
  func anEarlierRecoveryKeyFetchesItsBackupForAMonth(kind: StoreKind) throws {
    let server = try agency(kind)
    let device = try BackupDevice(server)
    let earlier = device.recoveryKey
    try device.begin()
    try device.store([1])
    var changed = device
    changed.recoveryKey = KeyPair()
    try changed.begin()
    try changed.store([2])
    #expect(try device.restore(with: earlier) == [1])
    #expect(try device.restore(with: changed.recoveryKey) == [2])
    // The agency that starts removes what is too old.
    time.withLock { $0 += 31 * 86_400 }
    try changed.begin()
    guard kind == .sqlite else { return server.stop() }
    server.stop()
    let storage = try SQLiteStorage(path: folder.path + "/agency.db", clock: { [time] in time.withLock { $0 } })
    let expiry = Expiry(Retention(), now: time.withLock { $0 })
    while try storage.removeExpired(expiry, limit: 100) > 0 {}
    let verkeys = try Database(path: folder.path + "/agency.db").integer("SELECT count(*) FROM backups")
    #expect(verkeys == 1)
  }

  @Test func aUserMayReturnToAnEarlierKey() throws {
    let server = try agency()
    defer { server.stop() }
    let device = try BackupDevice(server)
    var other = device
    other.recoveryKey = KeyPair()
    for (device, wallet) in [(device, [1]), (other, [2]), (device, [3])] as [(BackupDevice, [UInt8])] {
      try device.begin()
      try device.store(wallet)
    }
    #expect(try device.restore(with: other.recoveryKey) == [2])
    #expect(try device.restore(with: device.recoveryKey) == [3])
    try device.begin(at: String(repeating: "a", count: 64))
    #expect(try device.restore(with: device.recoveryKey) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func theOwnerIsNotified(kind: StoreKind) throws {
    var rules = Agency.Rules()
    rules.callsPrivateWebhooks = true
    let server = try AgencyServer(
      dataFolder: folder.path, database: kind == .sqlite ? nil : PostgreSQLServer.newDatabase(), rules: rules)
    defer { server.stop() }
    let (device, listener) = (try BackupDevice(server), try Listener())
    let method = WireComMethod(id: "1", kind: .webhook, value: listener.server.endpoint)
    let _: ComMethodUpdated = try device.client.ask(UpdateComMethod(method: method), of: device.agent)
    let steps: [(String, () throws -> Void)] = [
      ("WALLET_BACKUP_READY", device.begin), ("WALLET_BACKUP_ACK", { try device.store([1]) }),
      ("WALLET_BACKUP_RESTORED", { _ = try device.restore(with: device.recoveryKey) }),
    ]
    for (index, (type, step)) in steps.enumerated() {
      try step()
      let call = try #require(listener.waitForCalls(index + 1).last)
      let body = try JSON(parsing: call.body)
      #expect(body["msgType"]?.string == type)
      #expect(body["pwDid"]?.string == device.client.keys.verkey.did.text)
    }
  }

  @Test func strangersAndUnpreparedOwnersAreRefused() throws {
    let server = try agency()
    let owner = try BackupDevice(server)
    #expect(throws: BackupDevice.Refused(status: 400)) { try owner.store([1]) }
    try owner.begin()
    #expect(throws: BackupDevice.Refused(status: 400)) { try owner.restore(with: owner.recoveryKey) }
    #expect(throws: BackupDevice.Refused(status: 400)) { try owner.store([]) }
    try owner.store([1])
    #expect(throws: BackupDevice.Refused(status: 413)) { try owner.store([UInt8](repeating: 1, count: 1001)) }
    var thief = try BackupDevice(server)
    // Nobody else registers the key.
    thief.recoveryKey = owner.recoveryKey
    #expect(throws: BackupDevice.Refused(status: 409)) { try thief.begin() }
    // Nobody else's key fetches the backup, nor stores one.
    thief.recoveryKey = KeyPair()
    #expect(throws: BackupDevice.Refused(status: 404)) { try thief.fetch(from: owner.agent, with: thief.recoveryKey) }
    #expect(throws: BackupDevice.Refused(status: 404)) { try thief.fetch(from: owner.agent, with: thief.client.keys) }
    // The recovery key serves for nothing but a restoration.
    #expect(throws: BackupDevice.Refused(status: 404)) {
      try thief.ask(SignUp(), of: owner.agent, from: owner.recoveryKey)
    }
    let wallet = BackUpWallet(wallet: [6])
    let theft = try thief.client.send(
      thief.client.request(wallet), to: owner.agent, of: thief.client.keys, through: thief.agent)
    #expect(theft.status == 404)
    // Nobody else's key asks for a dead drop through the account.
    let drop = RetrieveDeadDrop(of: owner.recoveryKey)
    let asked = try owner.client.send(
      owner.client.request(drop), to: owner.client.agency, of: KeyPair(), through: owner.agent)
    #expect(asked.status == 404)
    #expect(try owner.restore(with: owner.recoveryKey) == [1])
    server.stop()
  }

  /// A wrong passphrase leads to a dead drop that nobody has. After ten failures not even the right one is tried.
  @Test func guessingIsSlowedDown() throws {
    let server = try agency()
    let owner = try BackupDevice(server)
    try owner.begin()
    try owner.store([1])
    let guesser = try BackupDevice(server)
    for _ in 0..<10 { #expect(try guesser.restore(with: KeyPair()) == nil) }
    #expect(throws: BackupDevice.Refused(status: 429)) { try guesser.restore(with: owner.recoveryKey) }
    #expect(try BackupDevice(server).restore(with: owner.recoveryKey) == [1])
    time.withLock { $0 += 360 }
    #expect(try guesser.restore(with: owner.recoveryKey) == [1])
    server.stop()
  }

  /// The keeper of a backup may be known to others than its owner.
  @Test func wrongRecoveryKeysAreGuessesToo() throws {
    let server = try agency()
    defer { server.stop() }
    let owner = try BackupDevice(server)
    try owner.begin()
    try owner.store([1])
    let guesser = try BackupDevice(server)
    for _ in 0..<10 {
      #expect(throws: BackupDevice.Refused(status: 404)) { try guesser.fetch(from: owner.agent, with: KeyPair()) }
    }
    #expect(throws: BackupDevice.Refused(status: 429)) { try guesser.fetch(from: owner.agent, with: owner.recoveryKey) }
  }

  /// Somebody with many accounts guesses no faster, and slows down nobody in another network.
  @Test(arguments: [false, true]) func guessesOfOneNetworkAreCountedTogether(isKeyGuessed: Bool) throws {
    var rules = Agency.Rules()
    rules.trustedProxy = "127.0.0.1"
    rules.rate = Rate(1000, burst: 1000)
    rules.provisioningsPerMinute = 1000
    let server = try AgencyServer(dataFolder: folder.path, rules: rules, clock: { [time] in time.withLock { $0 } })
    defer { server.stop() }
    let owner = try BackupDevice(server)
    try owner.begin()
    try owner.store([1])
    for _ in 0..<10 {
      var guesser = try BackupDevice(server)
      guesser.address = "192.0.2.1"
      for _ in 0..<10 {
        guard isKeyGuessed else {
          #expect(try guesser.restore(with: KeyPair()) == nil)
          continue
        }
        #expect(throws: BackupDevice.Refused(status: 404)) { try guesser.fetch(from: owner.agent, with: KeyPair()) }
      }
    }
    var late = try BackupDevice(server)
    late.address = "192.0.2.1"
    #expect(throws: BackupDevice.Refused(status: 429)) { try late.restore(with: owner.recoveryKey) }
    late.address = "192.0.2.2"
    #expect(try late.restore(with: owner.recoveryKey) == [1])
  }

  /// Three stay for ever, the others for a week.
  @Test func oldVersionsAreRemoved() throws {
    let server = try agency()
    let owner = try BackupDevice(server)
    try owner.begin()
    let count = { try Database(path: folder.path + "/agency.db").integer("SELECT count(*) FROM backups") }
    for version in 1...5 { try owner.store([UInt8(version)]) }
    #expect(try count() == 5)
    time.withLock { $0 += 7 * 86_400 }
    try owner.store([6])
    #expect(try count() == 3)
    for version in 7...30 { try owner.store([UInt8(version)]) }
    #expect(try count() == 14)
    #expect(try owner.restore(with: owner.recoveryKey) == [30])
    server.stop()
  }

  @Test func aDamagedBackupIsNotHandedOut() throws {
    let server = try agency()
    let owner = try BackupDevice(server)
    try owner.begin()
    try owner.store([1, 2])
    try Database(path: folder.path + "/agency.db").execute("UPDATE backups SET wallet = x'0103'")
    #expect(throws: BackupDevice.Refused(status: 503)) { try owner.restore(with: owner.recoveryKey) }
    server.stop()
  }

  /// A recorded request would make an old backup the newest.
  @Test func aRecordedBackupIsNotStoredAgain() throws {
    let server = try agency()
    let owner = try BackupDevice(server)
    try owner.begin()
    let body = try Wrapping(owner.client.request(BackUpWallet(wallet: [1])), from: owner.client.keys, to: owner.agent)
      .carried(by: owner.agent, from: owner.client.keys).carried(by: owner.client.agency).bytes
    #expect(try owner.client.post(body).status == 200)
    time.withLock { $0 += 61 }
    #expect(try owner.client.post(body).status == 400)
    server.stop()
  }

  /// The real program, killed after each step: a confirmed step counts.
  @Test func confirmedStepsSurviveTheEndOfTheProcess() throws {
    var process = try AgencyProcess(dataFolder: folder.path)
    var device = try BackupDevice(Client(endpoint: process.endpoint, agency: process.identity))
    func restart() throws {
      process.kill()
      process = try AgencyProcess(dataFolder: folder.path)
      device.client = Client(endpoint: process.endpoint, agency: process.identity, keys: device.client.keys)
    }
    try restart()
    try device.begin()
    try restart()
    // As large as they may be.
    let wallet = [UInt8](repeating: 7, count: 5_000_000)
    try device.store(wallet)
    try restart()
    #expect(try device.notes().contains("WALLET_BACKUP_ACK"))
    #expect(try device.restore(with: device.recoveryKey) == wallet)
    #expect(throws: BackupDevice.Refused(status: 413)) { try device.store(wallet + [1]) }
  }
}
