internal import JSON
internal import Wallet

/// The wallet's notes about the issuer's side of an exchange. With them, a process that ended between two steps neither
/// makes a second offer nor issues a second credential.
struct Issuance: Sendable {
  /// The message with the offer.
  var offer: JSON?
  /// The place of the credential in its revocation registry.
  var index: Int64?
  /// The id of that registry. Notes of older versions have no id.
  var registry: String?
  /// The credential for the holder; forgotten once the exchange has ended.
  var credential: String?
  /// The hash of the offered terms; forgotten once the exchange has ended. Notes of older versions have no hash.
  var terms: String?
  /// The hash of the request that the credential answers. Notes of older versions have no hash.
  var request: String?
  /// Whether a credential was issued, and the exchange has ended.
  var isOver = false
  /// The text of the wallet's record, as it was read or written last; nil if there is no record.
  fileprivate(set) var recorded: String?

  init() {}

  init(parsing text: String) throws {
    let object = try JSON(parsing: text).requireObject()
    offer = object["offer"]
    index = try object.optionalInteger("index")
    registry = try object.optionalString("registry")
    credential = try object.optionalString("credential")
    terms = try object.optionalString("terms")
    request = try object.optionalString("request")
    isOver = try object.optionalBool("over") ?? false
    recorded = text
  }

  /// Says that the wallet has this value by now.
  mutating func noteRecorded() { recorded = text }

  var text: String {
    var object: JSONObject = [:]
    object["offer"] = offer
    object["index"] = index.map(JSON.integer)
    object["registry"] = registry.map(JSON.string)
    object["credential"] = credential.map(JSON.string)
    object["terms"] = terms.map(JSON.string)
    object["request"] = request.map(JSON.string)
    if isOver { object["over"] = true }
    return JSON.object(object).text
  }
}

extension Issuance {
  /// Throws `otherTerms` if the exchange has an offer with other terms: a program may restore one stored exchange
  /// twice, and change its values.
  func check(_ terms: CredentialTerms) throws(IssuingError) {
    guard self.terms == nil || self.terms == terms.digest else { throw .otherTerms }
  }

  /// Throws `malformedRequest` if another request of the exchange has already received its credential: the credential
  /// serves only that request's holder.
  func check(request digest: String) throws(IssuingError) {
    guard request == nil || request == digest else {
      throw .malformedRequest("another request has got the credential of this exchange")
    }
  }
}

extension CredentialIssuer {
  var issuances: LibraryRecords { LibraryRecords(of: "msdk.issuance", in: wallet) }

  func issuance(on thread: String) throws -> Issuance? {
    try issuances.find(thread).map { try Issuance(parsing: $0.value) }
  }

  /// The changes that note an exchange, if the record is still the one that was read. An empty note is removed.
  func noting(_ issuance: Issuance, on thread: String) -> [LibraryChange] {
    let text = issuance.text
    return [
      issuances.expecting(thread, value: issuance.recorded),
      text == Issuance().text ? issuances.removing(thread) : issuances.putting(thread, value: text),
    ]
  }

  /// Notes that an exchange has ended. A short note stays if a credential was issued, because the state that the program
  /// has stored may be an older one.
  package func end(_ thread: String) throws {
    try Self.exchanges.withLock(of: thread) { try wallet.retrying { try forget(thread) } }
  }

  private func forget(_ thread: String) throws {
    guard var issuance = try issuance(on: thread) else { return }
    issuance.isOver = issuance.index != nil || issuance.credential != nil
    (issuance.offer, issuance.terms, issuance.credential) = (nil, nil, nil)
    if !issuance.isOver { issuance.request = nil }
    try wallet.make(noting(issuance, on: thread))
  }
}
