import AgencyServer
import AgencyWire
import DIDComm
import Foundation
import Sodium
import Time

extension Operations {
  /// The agency's work with a forward of 1 KB to a mailbox where messages wait: it opens two layers, and writes the message
  /// to the disk.
  static func forward(waiting: Int, in folder: String) throws -> () throws -> Void {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let location = StorageLocation(database: nil, dataFolder: folder)
    let (storage, masterKey) = try MasterKeyFile(dataFolder: folder).open(location, clock: systemClock)
    let agency = try Agency(storage: storage, masterKey: masterKey)
    let (owner, pairwise) = (KeyPair(), KeyPair())
    let provisioned = try storage.provision(owner.verkey, ownerDID: owner.verkey.did, nil, orElse: masterKey.newKey())
    guard case .agent(let account) = provisioned else { throw Wrong() }
    let created = try storage.mailbox(
      of: account, for: pairwise.verkey.did, pairwise.verkey, limit: 1, orElse: masterKey.newKey())
    guard case .mailbox(let mailbox) = created else { throw Wrong() }
    for number in 0..<waiting {
      let payload = Array("{\"number\":\(number)}".utf8)
      let mail = Mail(uid: .randomUUID(), payload: payload, digest: sha256(payload), arrival: systemClock())
      guard case .stored = try storage.deliver(mail, to: mailbox, quota: Quota()) else { throw Wrong() }
    }
    let service = Service(
      recipientKeys: [pairwise.verkey], routingKeys: [mailbox.party.verkey, agency.party.verkey], endpoint: "")
    let message = [UInt8](repeating: UInt8(ascii: "m"), count: 1 << 10)
    // The agency takes each envelope only once.
    var packed = try (0..<5).map { _ in try service.pack(message, from: owner) }
    return {
      guard let next = packed.popLast() else { throw Wrong() }
      _ = try agency.receive(next)
    }
  }
}
