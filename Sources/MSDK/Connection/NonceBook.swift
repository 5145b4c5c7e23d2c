internal import Aries
internal import JSON
internal import Sodium
internal import Wallet

/// The wallet's notes about the nonces of a peer's questions that have a signed answer, and about the signed bytes.
/// Without them a peer could show one signature as the answer to two questions, since the signed bytes have no
/// separators.
struct NonceBook {
  private let wallet: Wallet
  private let records: LibraryRecords

  init(wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.nonces", in: wallet)
  }

  /// Notes that `statement` is signed with the nonce, as the bytes `signed`. The same statement may be signed again,
  /// for an answer that did not arrive. Throws if the nonce or the bytes are noted for another statement.
  func note(_ nonce: String, signing signed: [UInt8], for statement: String, over pairwiseDID: String) throws {
    let (marks, statement) = ([Self.mark(nonce.utf8), Self.mark([0] + signed)], Self.mark(statement.utf8))
    // Several objects and processes may answer at once.
    try wallet.retrying {
      let text = try records.find(pairwiseDID)?.value
      var known = text.flatMap { try? JSON(parsing: $0).object } ?? [:]
      let noted = marks.compactMap { known[$0]?.string }
      guard noted.allSatisfy({ $0 == statement }) else { throw QuestionError.answered }
      if noted.count == marks.count { return }
      for mark in marks { known[mark] = .string(statement) }
      try wallet.make([
        records.expecting(pairwiseDID, value: text), records.putting(pairwiseDID, value: JSON.object(known).text),
      ])
    }
  }

  /// Forgets a deleted connection.
  func strike(_ pairwiseDID: String) { try? wallet.make([records.removing(pairwiseDID)]) }

  /// A digest of fixed length, because the peer chooses the texts.
  private static func mark(_ bytes: some Sequence<UInt8>) -> String {
    Base64.encode(sha256(Array(bytes)), .url, padded: false)
  }
}
