import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import Sodium
import Time

extension Operations {
  /// The agency's work with forwards of 1 KB to a mailbox where messages wait: for each forward it opens two layers, and
  /// writes the message to the disk. One forward alone costs a tenth more when its random id splits a page of the database.
  static func forward(_ count: Int, waiting: Int, in folder: String) throws -> () throws -> Void {
    let scene = try AgencyScene(in: folder)
    try scene.deliver((0..<waiting).map { Array("{\"number\":\($0)}".utf8) })
    let service = Service(
      recipientKeys: [scene.pairwise.verkey], routingKeys: [scene.mailbox.party.verkey, scene.agency.party.verkey],
      endpoint: "")
    // The agency takes each envelope only once.
    var packed = try (0..<(5 * count)).map { _ in try service.pack(scene.message, from: scene.owner) }
    return {
      guard packed.count >= count else { throw Wrong() }
      for next in packed.suffix(count) { _ = try scene.agency.receive(next) }
      packed.removeLast(count)
    }
  }

  /// The agency's work with a request for messages of 1 KB.
  static func download(of count: Int, in folder: String) throws -> () throws -> Void {
    let scene = try AgencyScene(in: folder)
    try scene.deliver(
      (0..<count).map { _ in try Envelope.pack(scene.message, for: [scene.pairwise.verkey], from: scene.owner) })
    let request = GetMessagesByConnections(filter: WireMessageFilter(statusCodes: ["MS-103"]))
    let json = request.json(type: GetMessagesByConnections.type)
    let packed = try Wrapping(json, from: scene.owner, to: scene.account.party).carried(by: scene.agency.party).bytes
    return {
      guard try scene.agency.receive(packed).body.count > count << 10 else { throw Wrong() }
    }
  }
}

/// An agency with an account and a mailbox.
private struct AgencyScene {
  let agency: Agency
  let storage: any Storage
  let owner = KeyPair()
  let pairwise = KeyPair()
  let account: Account
  let mailbox: Mailbox
  let message = [UInt8](repeating: UInt8(ascii: "m"), count: 1 << 10)

  init(in folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let location = StorageLocation(database: nil, dataFolder: folder)
    let (storage, masterKey) = try MasterKeyFile(dataFolder: folder).open(location, clock: systemClock)
    let provisioned = try storage.provision(owner.verkey, ownerDID: owner.verkey.did, nil, orElse: masterKey.newKey())
    guard case .agent(let account) = provisioned else { throw Wrong() }
    let created = try storage.mailbox(
      of: account, for: pairwise.verkey.did, pairwise.verkey, limit: 1, orElse: masterKey.newKey())
    guard case .mailbox(let mailbox) = created else { throw Wrong() }
    agency = try Agency(storage: storage, masterKey: masterKey)
    (self.storage, self.account, self.mailbox) = (storage, account, mailbox)
  }

  func deliver(_ payloads: [[UInt8]]) throws {
    for payload in payloads {
      let mail = Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: systemClock())
      guard case .stored = try storage.deliver(mail, to: mailbox, quota: Quota()) else { throw Wrong() }
    }
  }
}
