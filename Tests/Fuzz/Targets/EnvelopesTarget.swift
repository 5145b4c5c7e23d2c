import JSON
import Sodium

@testable import AgencyServer
@testable import DIDComm
@testable import MSDK

extension FuzzTarget {
  /// Envelopes as they arrive, and what stands in them.
  static let envelopes = FuzzTarget("envelopes") { input in
    guard let (way, rest) = input.choice else { return }
    let own = try Material.own.get()
    switch way % 4 {
    case 0:
      if let opened = try? Envelope(parsing: rest).open(with: own) { read(opened) }
      try compareReaders(rest)
    case 1:
      if let opened = try? Envelope(behind(header: rest)).open(with: own) { read(opened) }
    case 2:
      let sender = try Material.peer.get()
      read(try open(Envelope.pack(rest, for: [own.verkey], from: sender), holding: rest, from: sender.verkey))
    default:
      read(try open(Envelope.pack(rest, for: [own.verkey], from: nil), holding: rest, from: nil))
    }
  }

  /// An envelope in the usual spelling has a reader of its own.
  private static func compareReaders(_ text: [UInt8]) throws {
    let plain = try? Envelope(parsing: text)
    let general = (try? JSON(parsing: text)).flatMap { try? Envelope($0) }
    try expect(
      plain?.protected == general?.protected && plain?.ciphertext == general?.ciphertext && plain?.iv == general?.iv
        && plain?.tag == general?.tag, "the two readers of envelopes differ")
  }

  private static func behind(header: [UInt8]) -> JSON {
    let zeros = { (count: Int) in JSON.string(Base64.encode([UInt8](repeating: 0, count: count), .url)) }
    return [
      "protected": .string(Base64.encode(header, .url)), "iv": zeros(12), "ciphertext": "AAAA", "tag": zeros(16),
    ]
  }

  private static func open(_ packed: [UInt8], holding message: [UInt8], from sender: VerKey?) throws -> Opened {
    let opened = try Envelope(parsing: packed).open(with: Material.own.get())
    try expect(opened.message == message && opened.sender == sender, "an envelope opens otherwise than it was packed")
    return opened
  }

  private static func read(_ opened: Opened) {
    if let layer = try? Layer(opened) {
      _ = try? layer.hop()
      _ = layer.isForward
    }
    _ = try? DecryptedPayload(opened.message)
    if let json = try? JSON(parsing: opened.message) { _ = try? Forward(json) }
  }
}
