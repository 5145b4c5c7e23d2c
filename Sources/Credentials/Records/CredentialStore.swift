internal import JSON
package import Wallet

/// The credentials in a wallet, as records `Indy::Credential` in libindy's form.
package struct CredentialStore: Sendable {
  private let wallet: Wallet
  private let credentials, facts, requests, policies: LibraryRecords

  package init(wallet: Wallet) {
    self.wallet = wallet
    credentials = LibraryRecords(of: "Indy::Credential", in: wallet)
    facts = LibraryRecords(of: "msdk.credential", in: wallet)
    requests = LibraryRecords(of: "msdk.credential_request", in: wallet)
    policies = LibraryRecords(of: "Indy::CredentialAttrTagPolicy", in: wallet)
  }

  // MARK: Storing

  /// Stores a processed credential under the id of its exchange, with its tags, all at once.
  ///
  /// The same credential may be stored again: a process that ended before it noted its success stores one credential,
  /// not two. Another credential throws `exists`, even if it has the same definition: it would replace the values that
  /// the user has seen.
  ///
  /// Only the source in `known` may revoke the credential. Forgets the request of the exchange.
  package func store(
    _ text: String, as id: String, schema: SchemaName, issuer: String, with known: CredentialFacts
  ) throws {
    let content = try CredentialContent(parsing: text)
    let value = try Self.recordValue(of: text)
    if let stored = try credentials.find(id), try JSON(parsing: stored.value) != value { throw CredentialsError.exists }
    let tags = CredentialTags.tags(
      of: content, schema: schema, issuer: issuer, policy: try policy(of: content.definitionID))
    try wallet.make([
      credentials.putting(id, value: value.text, tags: tags),
      facts.putting(id, value: known.text),
      requests.removing(id),
    ])
  }

  /// libindy stores neither the registry's accumulator nor the first witness: both are out of date at the next
  /// revocation.
  private static func recordValue(of text: String) throws -> JSON {
    var json = try JSON(parsing: text)
    json["rev_reg"] = .null
    json["witness"] = .null
    return json
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
            id: record.id, content: content, tags: record.tags ?? Tags(), isRevoked: revoked.contains(record.id)))
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

  /// Deletes a credential. Throws `notFound` if the wallet does not have it.
  package func delete(_ id: String) throws {
    guard try credentials.find(id) != nil else { throw CredentialsError.notFound }
    try wallet.make([credentials.removing(id), facts.removing(id)])
  }
}

// MARK: - Revocation

extension CredentialStore {
  /// Notes the revocation status from the issuer or the ledger.
  package func mark(_ id: String, revoked: Bool) throws {
    var facts = try facts(of: id)
    guard facts.isRevoked != revoked else { return }
    facts.isRevoked = revoked
    try wallet.make([self.facts.putting(id, value: facts.text, tags: facts.tags)])
  }

  /// Notes a notice of the issuer that a credential is revoked, or valid again. A notice of this id counts once. Returns
  /// whether it is new.
  package func apply(notice: String, to id: String, revoked: Bool) throws -> Bool {
    try wallet.retrying {
      let known = try self.facts.find(id)?.value
      var facts = try facts(of: id)
      guard facts.apply(notice: notice, revoked: revoked) else { return false }
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

  private func revokedIDs() throws -> Set<String> {
    Set(try facts.search(CredentialFacts.revokedQuery).next(.max).records.map(\.id))
  }
}

// MARK: - Requests

extension CredentialStore {
  /// The request on a thread whose credential is not stored yet.
  func request(on thread: String) throws(WalletError) -> CredentialRequest? {
    try requests.find(thread).flatMap { CredentialRequest(parsing: $0.value) }
  }

  /// Keeps a request on a thread, unless another object or process has kept one that answers the same offer. Returns the
  /// kept one: the issuer answers the first request that arrives, and only the object with that one can use the credential.
  @discardableResult
  func keep(_ request: CredentialRequest, on thread: String) throws -> CredentialRequest {
    try wallet.retrying {
      let known = try requests.find(thread)?.value
      if let kept = known.flatMap(CredentialRequest.init(parsing:)), kept.answersOffer(of: request) { return kept }
      try wallet.make([
        requests.expecting(thread, value: known), requests.putting(thread, value: request.json.text),
      ])
      return request
    }
  }

  /// Forgets the request of a failed exchange.
  package func forgetRequest(on thread: String) throws(WalletError) { try wallet.make([requests.removing(thread)]) }
}
