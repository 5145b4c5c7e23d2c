package import JSON
internal import Sodium
package import Wallet

/// The credentials in a wallet, as records `Indy::Credential` in libindy's form.
package struct CredentialStore: Sendable {
  private let wallet: Wallet
  private let credentials, facts, requests, policies, deleted: LibraryRecords

  package init(wallet: Wallet) {
    self.wallet = wallet
    credentials = LibraryRecords(of: "Indy::Credential", in: wallet)
    facts = LibraryRecords(of: "msdk.credential", in: wallet)
    requests = LibraryRecords(of: "msdk.credential_request", in: wallet)
    policies = LibraryRecords(of: "Indy::CredentialAttrTagPolicy", in: wallet)
    deleted = LibraryRecords(of: "msdk.deleted_credential", in: wallet)
  }

  // MARK: Storing

  /// Stores a processed credential under the id of its exchange, with its tags, all at once.
  ///
  /// The same credential may be stored again: a process that ended before it noted its success stores one credential,
  /// not two. Later notes about it stay, also the note that the user has deleted it. Another credential throws `exists`,
  /// even if it has the same definition: it would replace the values that the user has seen.
  ///
  /// Only the source in `known` may revoke the credential. The request that answered `offer` stays until the credential is
  /// deleted: a process that ended before it noted that it asked goes on with the same request.
  package func store(
    _ text: String, as id: String, answering offer: AnsweredOffer? = nil, schema: SchemaName, issuer: String,
    with known: CredentialFacts
  ) throws {
    let content = try CredentialContent(parsing: text)
    let value = try Self.recordValue(of: text)
    let tags = CredentialTags.tags(
      of: content, schema: schema, issuer: issuer, policy: try policy(of: content.definitionID))
    var known = known
    known.requestID = offer?.requestID
    try wallet.retrying {
      let stored = try credentials.find(id)
      if let stored, try JSON(parsing: stored.value) != value { throw CredentialsError.exists }
      let isDeleted = try stored == nil && deleted.find(id).map { $0.value == Self.digest(of: value) } ?? false
      var changes = [credentials.expecting(id, value: stored?.value)]
      if isDeleted, let offer { changes.append(requests.removing(offer.requestID)) }
      if stored == nil, !isDeleted { changes.append(credentials.putting(id, value: value.text, tags: tags)) }
      let noted = try facts.find(id)?.value
      if !isDeleted, stored == nil || noted == nil {
        changes += [facts.expecting(id, value: noted), facts.putting(id, value: known.text)]
      }
      try wallet.make(changes)
    }
  }

  /// libindy stores neither the registry's accumulator nor the first witness: both are out of date at the next
  /// revocation.
  private static func recordValue(of text: String) throws -> JSON {
    var json = try JSON(parsing: text)
    json["rev_reg"] = .null
    json["witness"] = .null
    return json
  }

  /// Identifies a credential by its signature, in whose text the values have no fixed order.
  private static func digest(of credential: JSON) -> String {
    let signature = credential["signature"]?["p_credential"]
    let numbers = ["m_2", "a", "e", "v"].map { signature?[$0]?.string ?? "" }
    return Base58.encode(sha256(Array(numbers.joined(separator: " ").utf8)))
  }

  /// The attributes by which libindy's user wants to find credentials of this definition; nil means all attributes.
  private func policy(of definitionID: String) throws(WalletError) -> [AttributeName]? {
    guard let record = try policies.find(definitionID), let names = (try? JSON(parsing: record.value))?.array else {
      return nil
    }
    return names.compactMap(\.string).map(AttributeName.init)
  }

  // MARK: Finding

  /// All credentials, in the order of their storage. Unreadable credentials are skipped: they prove nothing, and must
  /// not hide the others.
  package func all() throws -> [HeldCredential] {
    let revoked = try revokedIDs()
    let search = try credentials.search()
    defer { search.close() }
    var held: [HeldCredential] = []
    while true {
      let page = try search.next(Self.pageSize).records
      for record in page {
        guard let text = record.value, let content = try? CredentialContent(parsing: text) else { continue }
        held.append(
          HeldCredential(
            id: record.id, content: content, tags: record.tags ?? Tags(),
            isRevoked: revoked.contains(ExactText(record.id))))
      }
      if page.count < Self.pageSize { return held }
    }
  }

  private static let pageSize = 256

  /// Opens a search for credentials that satisfy the query, in the order of their storage. The caller closes it.
  package func search(_ query: CredentialQuery) throws -> CredentialSearch {
    CredentialSearch(try credentials.search(query.tags.text), facts: facts, query: query)
  }

  /// A credential with all that the wallet knows of it. Throws `notFound` if the wallet does not have it.
  package func found(_ id: String) throws -> FoundCredential {
    FoundCredential(held: try credential(id).held, facts: try facts(of: id))
  }

  /// A credential and the text that proves it. Throws `notFound` if the wallet does not have it.
  package func credential(_ id: String) throws -> (text: String, held: HeldCredential) {
    guard let record = try credentials.find(id) else { throw CredentialsError.notFound }
    let content = try CredentialContent(parsing: record.value)
    let isRevoked = try facts(of: id).isRevoked
    return (record.value, HeldCredential(id: id, content: content, tags: record.tags, isRevoked: isRevoked))
  }

  /// Whether the wallet has a credential under this id that came over the connection of `source`; if `source` is nil, without
  /// a connection.
  package func has(_ id: String, from source: CredentialSource?) throws(WalletError) -> Bool {
    guard try credentials.find(id) != nil else { return false }
    return try facts(of: id).source?.connection == source?.connection
  }

  /// Throws `notFound` unless the wallet has the credential of this message under this id. An issuer may give another credential on
  /// the same thread, once the user has deleted the first.
  package func require(_ id: String, isOf message: JSON) throws {
    guard let record = try credentials.find(id),
      try Self.proof(in: JSON(parsing: record.value)).isExactly(Self.proof(in: message))
    else { throw CredentialsError.notFound }
  }

  /// The random part of a credential's signature, which the holder does not change.
  private static func proof(in credential: JSON) -> String? { credential["signature"]?["p_credential"]?["a"]?.string }

  /// The format's name of the last credential that has one of these definitions or came over this connection; nil if
  /// there is no such credential, or its format is unknown.
  package func format(ofDefinitions definitions: Set<String>, orOver connection: String) throws -> String? {
    for held in try all().reversed() {
      let facts = try facts(of: held.id)
      if definitions.contains(held.content.definitionID) || facts.source?.connection == connection,
        let format = facts.format
      {
        return format
      }
    }
    return nil
  }

  /// Deletes a credential with its request, and notes that: an object from an older text finds the message with it again, and
  /// must not bring it back. Throws `notFound` if the wallet does not have it.
  package func delete(_ id: String) throws {
    guard let record = try credentials.find(id) else { throw CredentialsError.notFound }
    let note = (try? JSON(parsing: record.value)).map { deleted.putting(id, value: Self.digest(of: $0)) }
    let request = try facts(of: id).requestID.map(requests.removing)
    try wallet.make([credentials.removing(id), facts.removing(id)] + [note, request].compactMap(\.self))
  }
}

// MARK: - Revocation

extension CredentialStore {
  /// Notes the revocation status from the issuer or the ledger.
  package func mark(_ id: String, revoked: Bool) throws {
    _ = try change(id) { facts in
      guard facts.isRevoked != revoked else { return false }
      facts.isRevoked = revoked
      return true
    }
  }

  /// Notes a notice of the issuer that a credential is revoked, or valid again. A notice of this id counts once. Returns
  /// whether it is new.
  package func apply(notice: String, to id: String, revoked: Bool) throws -> Bool {
    try change(id) { $0.apply(notice: notice, revoked: revoked) }
  }

  /// Changes the facts of a credential, unless `body` returns false. Returns what `body` returned.
  private func change(_ id: String, _ body: (inout CredentialFacts) -> Bool) throws -> Bool {
    try wallet.retrying {
      let known = try self.facts.find(id)?.value
      var facts = known.map(CredentialFacts.init(parsing:)) ?? CredentialFacts(source: nil)
      guard body(&facts) else { return false }
      try wallet.make([
        self.facts.expecting(id, value: known), self.facts.putting(id, value: facts.text, tags: facts.tags),
      ])
      return true
    }
  }

  /// The origin of a credential; nil if it is unknown.
  package func source(of id: String) throws -> CredentialSource? { try facts(of: id).source }

  /// The credential at a place of a registry; nil if the wallet has no credential there.
  package func credential(registry: String, index: Int64) throws -> HeldCredential? {
    let query: JSON = ["rev_reg_id": .string(registry)]
    for record in try credentials.search(query.text).next(.max).records {
      guard let text = record.value, let content = try? CredentialContent(parsing: text) else { continue }
      if content.revocationIndex == index {
        return HeldCredential(id: record.id, content: content, tags: record.tags ?? Tags())
      }
    }
    return nil
  }

  private func facts(of id: String) throws(WalletError) -> CredentialFacts {
    try facts.find(id).map { CredentialFacts(parsing: $0.value) } ?? CredentialFacts(source: nil)
  }

  private func revokedIDs() throws -> Set<ExactText> {
    Set(try facts.search(CredentialFacts.revokedQuery).next(.max).records.map { ExactText($0.id) })
  }
}

// MARK: - Requests

extension CredentialStore {
  /// The request that answers an offer; nil if none is made, if its exchange has failed, or if its credential is deleted.
  package func request(answering offer: AnsweredOffer) throws(WalletError) -> CredentialRequest? {
    try requests.find(offer.requestID).flatMap { CredentialRequest(parsing: $0.value) }
  }

  /// Keeps a request, unless another object or process has kept one that answers the same offer. Returns the kept one: the
  /// issuer answers the first request that arrives, and only the object with that one can use the credential.
  @discardableResult
  func keep(_ request: CredentialRequest, answering offer: AnsweredOffer) throws -> CredentialRequest {
    try wallet.retrying {
      let id = offer.requestID
      let known = try requests.find(id)?.value
      if let kept = known.flatMap(CredentialRequest.init(parsing:)) { return kept }
      try wallet.make([requests.expecting(id, value: known), requests.putting(id, value: request.json.text)])
      return request
    }
  }

  /// Forgets the request of a failed exchange.
  package func forgetRequest(answering offer: AnsweredOffer) throws(WalletError) {
    try wallet.make([requests.removing(offer.requestID)])
  }
}
