internal import DIDComm
internal import JSON
internal import Sodium

/// Remembers which keys have provably sent the messages that this process has downloaded, so that a program which hands
/// over the text of one need not name its sender. Texts with the same JSON value are one text: programs write it anew.
///
/// The memory is bounded. The mailbox itself answers for a forgotten message (`Session.senders`).
struct SenderMemory: Sendable {
  /// A text, as its digest, in the mailbox of a pairwise DID.
  private struct Place: Hashable {
    let pairwiseDID: String
    let digest: [UInt8]
  }

  private var senders: [Place: [VerKey]] = [:]
  /// The places in the order of their notes, from `oldest` on.
  private var order: [Place] = []
  private var oldest = 0

  /// The highest number of remembered texts.
  static let limit = 4_096
  /// The highest number of senders of one text: several can send the same.
  static let maximumSenders = 8

  /// Notes a text in a mailbox, and the sender that its envelope proves; nil if it proves none.
  mutating func note(_ text: JSON, from sender: VerKey?, over pairwiseDID: String) {
    let place = Place(pairwiseDID: pairwiseDID, digest: Self.digest(of: text))
    if senders[place] == nil {
      makeRoom()
      order.append(place)
    }
    let known = senders[place] ?? []
    let isNew = sender.map { !known.contains($0) } ?? false
    senders[place] = known + (isNew && known.count < Self.maximumSenders ? [sender].compactMap(\.self) : [])
  }

  /// The keys that have sent this text to the mailbox, as far as it is remembered.
  func senders(of text: JSON, over pairwiseDID: String) -> [VerKey] {
    senders[Place(pairwiseDID: pairwiseDID, digest: Self.digest(of: text))] ?? []
  }

  /// Whether this text has come to any mailbox, from anybody, as far as it is remembered.
  func knows(_ text: JSON) -> Bool {
    let digest = Self.digest(of: text)
    return senders.keys.contains { $0.digest == digest }
  }

  private static func digest(of text: JSON) -> [UInt8] { blake2b(Array(text.sortedText.utf8)) }

  private mutating func makeRoom() {
    guard order.count - oldest >= Self.limit else { return }
    senders[order[oldest]] = nil
    oldest += 1
    if oldest >= Self.limit {
      order.removeFirst(oldest)
      oldest = 0
    }
  }
}
