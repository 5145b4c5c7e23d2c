import JSON
import Sodium

@testable import Aries
@testable import DIDComm

extension FuzzTarget {
  /// DIDs that are resolved, and DID documents.
  static let documents = FuzzTarget("documents") { input in
    guard let (way, rest) = input.choice, let document = try document(way, rest) else { return }
    _ = document.isOf(String(decoding: rest, as: UTF8.self))
    _ = Peer(document: document).did
    _ = try? document.service.pack([1, 2, 3], from: Material.own.get())
  }

  private static func document(_ way: UInt8, _ bytes: [UInt8]) throws -> DIDDocument? {
    let text = String(decoding: bytes, as: UTF8.self)
    let json = try? JSON(parsing: bytes)
    switch way % 5 {
    case 0: return try? DIDDocument(resolving: text)
    case 1: return json.flatMap { try? DIDDocument($0) }
    case 2: return try? DIDDocument(resolving: "did:peer:2" + text)
    case 3: return try? DIDDocument(resolving: peer2 + Base64.encode(bytes, .url, padded: false))
    default: return try json.flatMap(resolvingPeer4)
    }
  }

  /// A `did:peer:2` with both keys, before its services.
  private static let peer2 =
    "did:peer:2.Ez6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc"
    + ".Vz6MkqRYqQiSgvZQdnBytw86Qbs2ZWUkGv22od935YF4s8M7V.S"

  private static func resolvingPeer4(_ json: JSON) throws -> DIDDocument? {
    let did = PeerDID4(encoding: json)
    if let again = try? PeerDID4(did.long) {
      try expect(again.short == did.short, "a did:peer:4 has another short form when it was read")
    }
    return try? DIDDocument(resolving: did.long)
  }
}
