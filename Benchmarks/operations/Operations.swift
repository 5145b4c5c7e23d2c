import AgencyWire
import DIDComm
import Foundation
import JSON
import MSDK
import Sodium
import Wallet

/// The operations, with the data that they work on. Keys come from fixed seeds, so that each run does the same.
struct Operations {
  let all: [Operation]
  /// The folder of their wallet.
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("operations-\(getpid())").path

  init() throws {
    let sender = try Self.pair(1)
    let recipients = try (2...4).map(Self.pair)
    let ring = Ring(pairs: [recipients[2].verkey: recipients[2]])
    let folder = folder
    all =
      Self.envelopes(from: sender, for: recipients, ring: ring)
      + [
        Operation("mailbox.read_100") { try Self.mailbox(from: sender, to: recipients[2], ring: ring) },
        Operation("connection.restore") {
          let text = try Self.state()
          return { _ = try Connection(serialized: text) }
        },
        Operation("connection.serialize") {
          let connection = try Connection(serialized: Self.state())
          return { _ = connection.serialized(institutionDID: nil) }
        },
        Operation("wallet.get_of_100") { try Self.wallet(in: folder) },
        Operation("agency.forward_20_to_900", timed: false) {
          try Self.forward(20, waiting: 900, in: folder + "/forward")
        },
        Operation("agency.download_100") { try Self.download(of: 100, in: folder + "/download") },
      ]
  }

  /// Removes their wallet.
  func end() { try? FileManager.default.removeItem(atPath: folder) }

  private static func pair(_ number: UInt8) throws -> KeyPair {
    try KeyPair(seed: SecretBytes(copying: [UInt8](repeating: number, count: KeyPair.seedLength)))
  }

  private static func envelopes(from sender: KeyPair, for recipients: [KeyPair], ring: Ring) -> [Operation] {
    let sizes = [("100", 100), ("1k", 1 << 10), ("64k", 1 << 16), ("1m", 1 << 20), ("10m", 10 << 20)]
    var operations: [Operation] = []
    for (label, size) in sizes {
      for (mode, from) in [("auth", sender), ("anon", nil)] {
        for count in [1, 3] where count == 1 || size == 1 << 10 {
          let keys = recipients.suffix(count).map(\.verkey)
          let isCounted = count == 1 && (size == 1 << 16 && from != nil || size == 1 << 10)
          let name = "\(mode).\(label).r\(count)"
          operations.append(
            Operation("envelope.pack.\(name)", counted: isCounted) {
              let message = [UInt8](repeating: UInt8(ascii: "m"), count: size)
              return { _ = try Envelope.pack(message, for: keys, from: from) }
            })
          operations.append(
            Operation("envelope.unpack.\(name)", counted: isCounted) {
              let message = [UInt8](repeating: UInt8(ascii: "m"), count: size)
              let packed = try Envelope.pack(message, for: keys, from: from)
              return {
                guard try Envelope(parsing: packed).open(with: ring).message.count == size else { throw Wrong() }
              }
            })
        }
      }
    }
    return operations
  }

  /// The client's work with an answer of 100 messages of 1 KB, as an agency gives it.
  private static func mailbox(from sender: KeyPair, to reader: KeyPair, ring: Ring) throws -> () throws -> Void {
    let message = [UInt8](repeating: UInt8(ascii: "m"), count: 1 << 10)
    let stored = try (0..<100).map { number in
      let packed = try Envelope.pack(message, for: [reader.verkey], from: sender)
      return WireMessage(uid: "message-\(number)", statusCode: "MS-103", payload: try JSON(parsing: packed))
    }
    let answer = Messages(messages: stored, end: .complete).json(type: "x/1.0/MSGS").bytes
    return {
      for message in try Messages(JSON(parsing: answer).requireObject()).messages {
        guard let envelope = message.envelope else { throw Wrong() }
        _ = try Envelope(envelope).open(with: ring)
      }
    }
  }

  private static func state() throws -> String {
    try String(contentsOfFile: fixtures + "/connections/completed.json", encoding: .utf8)
  }

  private static func wallet(in folder: String) throws -> () throws -> Void {
    let location = try WalletLocation(id: "bench", home: folder)
    let key = "8dvfYSt5d1taSd6yJdpjq4emkwsPDDLYxkNFysFD2cZY"
    try Wallet.create(location, key: key, derivation: .raw)
    let wallet = try Wallet.open(location, key: key, derivation: .raw)
    for number in 0..<100 {
      try wallet.apply(.add(Record(type: "bench", id: "\(number)", value: "value of \(number)")))
    }
    return { _ = try wallet.record(type: "bench", id: "50") }
  }

  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Tests/Fixtures").path
}

/// An operation did not do what it measures.
struct Wrong: Error {}

struct Ring: KeyRing {
  let pairs: [VerKey: KeyPair]
  func keyPair(for key: VerKey) -> KeyPair? { pairs[key] }
}
