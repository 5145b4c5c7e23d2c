internal import JSON
internal import Logging
internal import Time
package import Wallet

/// The objects that a wallet keeps, with a record for each. A record is as new as the object's last change that a program
/// was told of.
package struct KeptObjects: Sendable {
  private let wallet: Wallet
  private let records: LibraryRecords

  package init(in wallet: Wallet) {
    self.wallet = wallet
    records = LibraryRecords(of: "msdk.object", in: wallet)
  }

  private enum Tag {
    static let (type, sourceID, state, thread) = ("type", "source_id", "state", "thread")
    static let (pairwiseDID, theirDID, finished, changed) = ("pairwise_did", "their_did", "finished", "changed")
    static let disposable = "disposable"
  }

  /// A record.
  package struct Found: Sendable {
    package let id: String
    package let kind: KeptKind
    package let text: String
    let pairwiseDID, theirDID: String?
  }
}

// MARK: - Changing

extension KeptObjects {
  /// The change that creates or replaces the record of an object.
  func change(keeping object: some KeptObject, as id: String, with session: Session) -> LibraryChange {
    let (facts, keeping, kind) = (object.keptFacts, object.keeping, type(of: object).keptKind)
    var tags: Tags = [
      Tag.type: kind.rawValue, Tag.sourceID: facts.sourceID, Tag.state: String(facts.state),
      Tag.finished: facts.isFinished ? "1" : "0", Tag.disposable: facts.isDisposable ? "1" : "0",
      Tag.changed: String(systemClock()),
    ]
    (tags[Tag.thread], tags[Tag.pairwiseDID], tags[Tag.theirDID]) = (
      facts.thread, keeping.pairwiseDID, keeping.theirDID
    )
    return records.putting(id, value: object.serialized(with: session), tags: tags)
  }

  /// Deletes a record. Deleting a record that does not exist succeeds.
  package func remove(_ id: String) throws { try wallet.make([records.removing(id)]) }

  /// Deletes the records of finished exchanges that nobody needs and whose last change is older than `seconds`. If it fails, it
  /// only logs the failure.
  func removeFinished(olderThan seconds: Int64) {
    do {
      let end = systemClock() - seconds
      let old = try tags(of: [Tag.disposable: "1"]).filter { Int64($0.tags[Tag.changed] ?? "") ?? .max < end }
      guard !old.isEmpty else { return }
      try wallet.make(old.map { records.removing($0.id) })
      Log.info("\(old.count) finished exchanges are deleted")
    } catch {
      Log.warning("finished exchanges could not be deleted: \(error)")
    }
  }
}

// MARK: - Reading

extension KeptObjects {
  /// The record with this id. Throws `recordNotFound` if there is no such record.
  package func find(_ id: String) throws -> Found {
    guard let record = try records.find(id) else { throw WalletError.recordNotFound }
    guard let kind = record.tags[Tag.type].flatMap(KeptKind.init(rawValue:)) else {
      throw WalletError.corrupt(reason: "a kept object is of no known type")
    }
    return Found(
      id: id, kind: kind, text: record.value, pairwiseDID: record.tags[Tag.pairwiseDID],
      theirDID: record.tags[Tag.theirDID])
  }

  /// The unfinished exchanges on a thread that may be over the connection with this pairwise DID: first the exchanges whose
  /// records name the connection, then the exchanges whose records name none. A peer may answer a message before the sender's
  /// record names the connection.
  func exchanges(on thread: String, over pairwiseDID: String) throws -> [Found] {
    let query: JSON = [
      Tag.thread: .string(thread), Tag.finished: "0", Tag.type: ["$neq": .string(KeptKind.connection.rawValue)],
    ]
    let found = try tags(of: query).reversed()
    let named = found.filter { $0.tags[Tag.pairwiseDID] == pairwiseDID }
    let unnamed = found.filter { $0.tags[Tag.pairwiseDID] == nil }
    return try (named + unnamed).map { try find($0.id) }
  }

  /// The connection with this pairwise DID; nil if the wallet keeps none.
  func connection(_ pairwiseDID: String) throws -> Found? {
    try last([Tag.type: .string(KeptKind.connection.rawValue), Tag.pairwiseDID: .string(pairwiseDID)])
  }

  /// The object that has changed last among those of a query.
  private func last(_ query: JSON) throws -> Found? { try tags(of: query).last.map { try find($0.id) } }

  /// The objects that satisfy a query, as a JSON array: the object that has changed last comes first.
  package func list(_ query: KeptQuery) throws -> String {
    let found = try tags(of: query.tags).reversed().prefix(query.limit)
    return JSON.array(found.map { Self.description(of: $0.id, $0.tags) }).text
  }

  private static func description(of id: String, _ tags: Tags) -> JSON {
    [
      "id": .string(id), "type": JSON(tags[Tag.type]), "source_id": JSON(tags[Tag.sourceID]),
      "state": tags[Tag.state].flatMap { Int64($0) }.map(JSON.integer) ?? .null,
      "finished": .bool(tags[Tag.finished] == "1"), "thread": JSON(tags[Tag.thread]),
      "pairwise_did": JSON(tags[Tag.pairwiseDID]), "their_did": JSON(tags[Tag.theirDID]),
      "changed": tags[Tag.changed].flatMap { Int64($0) }.map(JSON.integer) ?? .null,
    ]
  }

  /// The ids and tags of records, in the order of their last changes.
  private func tags(of query: JSON) throws -> [(id: String, tags: Tags)] {
    var retrieval = Retrieval()
    retrieval.value = false
    let search = try records.search(query.text, retrieving: retrieval)
    defer { search.close() }
    return try search.next(.max).records.compactMap { record in record.tags.map { (record.id, $0) } }
  }
}
