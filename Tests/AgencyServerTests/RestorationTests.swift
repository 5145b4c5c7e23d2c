import AgencyServer
import AgencyWire
import DIDComm
import HTTP
import Sodium
import TestSupport
import Testing
import Threading

/// Requests for the backup of a wallet: the proofs that they need, and the attempts that count.
@Suite struct RestorationTests {
  let folder: TemporaryFolder
  private let time = Locked<Int64>(1_700_000_000)
  let server: AgencyServer
  /// The owner of a backup.
  let owner: BackupDevice

  init() throws {
    folder = try TemporaryFolder()
    server = try AgencyServer(dataFolder: folder.path, clock: { [time] in time.withLock { $0 } })
    owner = try BackupDevice(server)
    try owner.begin()
    try owner.store([1])
  }

  private func look(_ request: RetrieveDeadDrop, with device: BackupDevice) throws -> DeadDropResult {
    try DeadDropResult(device.ask(request, of: device.client.agency, from: device.client.keys))
  }

  /// The address alone may be known to others: every part of the proof counts.
  @Test(arguments: ["recoveryVerKey", "locator", "locatorSignature"])
  func aDeadDropIsOpenedWithItsProofOnly(member: String) throws {
    let proven = RetrieveDeadDrop(of: owner.recoveryKey)
    let found = try look(proven, with: owner)
    #expect(found.data != nil && found.address == proven.address)
    var members = proven.members
    members[member] = RetrieveDeadDrop(of: KeyPair()).members[member]
    #expect(try look(RetrieveDeadDrop(members), with: BackupDevice(server)).data == nil)
  }

  /// Each account has ten attempts. Restorations that succeed are none.
  @Test func aUserMayRestoreOften() throws {
    for _ in 0..<11 { #expect(try owner.restore(with: owner.recoveryKey) == [1]) }
  }

  /// The account around the request is the one whose failures count.
  @Test func aGuesserLearnsWhenToTryAgain() throws {
    let guesser = try BackupDevice(server)
    for _ in 0..<10 { #expect(try guesser.restore(with: KeyPair()) == nil) }
    let look = guesser.client.request(RetrieveDeadDrop(of: owner.recoveryKey))
    let body = try Wrapping(look, from: guesser.client.keys, to: guesser.client.agency)
      .carried(by: guesser.agent, from: guesser.client.keys).carried(by: guesser.client.agency).bytes
    let response = try guesser.client.post(body)
    #expect(response.status == 429 && response.retryAfter == 360)
  }

  @Test func aBackupIsFetchedThroughAnAccount() throws {
    let request = owner.client.request(RestoreBackup())
    let response = try owner.client.send(request, to: owner.agent, from: owner.recoveryKey)
    #expect(response.status == 404 && response.body == Client.notFound)
  }

  /// It would bring an old recovery key back, and the backups under the present one would expire.
  @Test func aRecordedBeginningIsNotServedLater() throws {
    let device = try BackupDevice(server)
    let place = RetrieveDeadDrop(of: device.recoveryKey)
    let begin = InitBackup(recoveryVerKey: place.recoveryVerKey, address: place.address, cloudAddress: [1])
    let body = try Wrapping(device.client.request(begin), from: device.client.keys, to: device.agent)
      .carried(by: device.agent, from: device.client.keys).carried(by: device.client.agency).bytes
    #expect(try device.client.post(body).status == 200)
    time.withLock { $0 += 60 }
    #expect(try device.client.post(body).status == 200)
    time.withLock { $0 += 1 }
    #expect(try device.client.post(body).status == 400)
  }
}
