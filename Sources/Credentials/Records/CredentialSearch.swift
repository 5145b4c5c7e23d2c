package import JSON
internal import Wallet

/// The credentials that satisfy a query, page by page: the credentials that the wallet had when the search was opened.
package struct CredentialSearch: Sendable {
  private let records: Search
  private let facts: LibraryRecords
  private let query: CredentialQuery

  /// The highest number of credentials in one page.
  package static let largestPage = 1_000

  /// The number of records that are read at once.
  private static let chunk = 256

  init(_ records: Search, facts: LibraryRecords, query: CredentialQuery) {
    (self.records, self.facts, self.query) = (records, facts, query)
  }

  /// The next credentials, `count` at most; an empty page at the end. Unreadable credentials are skipped, as in
  /// `CredentialStore.all`.
  package func next(_ count: Int) throws -> [FoundCredential] {
    let count = min(count, Self.largestPage)
    var found: [FoundCredential] = []
    while found.count < count {
      let page = try records.next(min(count - found.count, Self.chunk)).records
      if page.isEmpty { break }
      for record in page {
        if let credential = try read(record) { found.append(credential) }
      }
    }
    return found
  }

  private func read(_ record: RetrievedRecord) throws -> FoundCredential? {
    guard let text = record.value, let content = try? CredentialContent(parsing: text) else { return nil }
    let known = try facts.find(record.id).map { CredentialFacts(parsing: $0.value) } ?? CredentialFacts(source: nil)
    let held = HeldCredential(
      id: record.id, content: content, tags: record.tags ?? Tags(), isRevoked: known.isRevoked)
    return query.holds(for: held, known) ? FoundCredential(held: held, facts: known) : nil
  }

  /// Releases the result. Later pages throw.
  package func close() { records.close() }
}

/// A credential of the wallet, with all that the wallet knows of it except its cryptographic numbers.
package struct FoundCredential: Sendable {
  package let held: HeldCredential
  let facts: CredentialFacts

  /// The time of the storing, in seconds since 1970; nil if it is unknown.
  package var received: Int64? { facts.received }
  /// This side's pairwise DID of the connection that brought the credential; nil if it is unknown.
  package var connection: String? { facts.source?.connection }
  /// The words and attachments of the offer that are for people; nil if they are unknown.
  package var display: JSON? { facts.display }

  /// The members of `HeldCredential.info`, and `schema_name`, `schema_version`, `issuer_did`, `revoked`, `received`,
  /// `connection` and `display`. In lists the attachments lack their data, which may be large.
  package func text(withAttachedData: Bool) -> String {
    var writer = JSONWriter(expecting: held.expectedSize + 256)
    writer.object { writer in
      held.writeInfo(to: &writer)
      for tag in ["schema_name", "schema_version", "issuer_did"] { writer.member(tag, JSON(held.tags[tag])) }
      writer.member("revoked", .bool(held.isRevoked))
      writer.member("received", received.map(JSON.integer) ?? .null)
      writer.member("connection", JSON(connection))
      writer.member("display", (withAttachedData ? display : displayWithoutData) ?? .null)
    }
    return writer.text
  }

  private var displayWithoutData: JSON? {
    guard var display, let attachments = display["attachments"]?.array else { return display }
    display["attachments"] = .array(
      attachments.map { attachment in
        JSON.object(
          JSONObject((attachment.object ?? [:]).members.filter { $0.key != "data" }.map { ($0.key, $0.value) }))
      })
    return display
  }
}
