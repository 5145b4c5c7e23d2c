internal import DIDComm
internal import Sodium

/// Remembers which keys have provably sent the messages that this process has downloaded, so that a program which hands
/// over the text of one need not name its sender.
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

  /// Notes that the envelope of a text in a mailbox proves its sender.
  mutating func note(_ text: String, from sender: VerKey, over pairwiseDID: String) {
    let place = Place(pairwiseDID: pairwiseDID, digest: sha256(Array(text.utf8)))
    let known = senders[place]
    guard let known else {
      makeRoom()
      order.append(place)
      return senders[place] = [sender]
    }
    guard !known.contains(sender), known.count < Self.maximumSenders else { return }
    senders[place] = known + [sender]
  }

  /// The keys that have sent exactly this text to the mailbox, as far as it is remembered.
  func senders(of text: String, over pairwiseDID: String) -> [VerKey] {
    senders[Place(pairwiseDID: pairwiseDID, digest: sha256(Array(text.utf8)))] ?? []
  }

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
