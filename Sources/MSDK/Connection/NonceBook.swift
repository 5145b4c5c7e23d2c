internal import Aries
internal import JSON
internal import Sodium
internal import Wallet

/// Notes in the wallet which nonces of a peer's questions have a signed answer. A peer could otherwise show one signature
/// as the answer to two questions, since the signed bytes have no separators.
struct NonceBook {
  private let wallet: Wallet
  private let records: LibraryRecords

  init(wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.nonces", in: wallet)
  }

  /// Notes that `statement` is signed with the nonce. The same statement may be signed again, for an answer that did not
  /// arrive. Throws if another is.
  func note(_ nonce: String, for statement: String, over pairwiseDID: String) throws {
    let (nonce, statement) = (Self.mark(nonce), Self.mark(statement))
    var known = try marks(over: pairwiseDID)
    if let signed = known[nonce]?.string {
      guard signed == statement else { throw QuestionError.answered }
      return
    }
    known[nonce] = .string(statement)
    try wallet.make([records.putting(pairwiseDID, value: JSON.object(known).text)])
  }

  /// Forgets a deleted connection.
  func strike(_ pairwiseDID: String) { try? wallet.make([records.removing(pairwiseDID)]) }

  private func marks(over pairwiseDID: String) throws -> JSONObject {
    guard let value = try records.find(pairwiseDID)?.value else { return [:] }
    return (try? JSON(parsing: value).object) ?? [:]
  }

  /// A digest of fixed length, because the peer chooses both texts.
  private static func mark(_ text: String) -> String { Base64.encode(sha256(Array(text.utf8)), .url, padded: false) }
}
