internal import SQLite
internal import Threading

/// A search: the records that a query found when it was opened, page by page. Later changes, and the closing of the
/// wallet, have no effect on it.
///
/// Small results are read at once. Of larger results, the rest stays in the file, in a snapshot that the search holds
/// open, until it is needed, or until the snapshot would keep the write-ahead log from being emptied.
package final class Search: Sendable {
  /// The number of all matching records; nil if it was not requested.
  package let totalCount: Int?

  private let type: String
  private let retrieval: Retrieval
  private let cipher: RecordCipher
  private let state: Locked<State>

  private struct State: Sendable {
    /// The records that were found and not delivered yet.
    var items: ArraySlice<FoundItem>
    /// The source of further records; nil if no more follow.
    var source: Source?
    /// The reason why records are missing, or that the search was closed.
    var failure: WalletError?
  }

  /// A cursor and the reader under it.
  struct Source: @unchecked Sendable {
    // Only the thread that holds the search's lock uses the source, so it is Sendable.
    let cursor: Cursor
    let lent: ReaderPool<Reader>.Lent
    let pool: ReaderPool<Reader>

    func close() {
      cursor.close()
      pool.giveBack(lent)
    }
  }

  /// The number of records that are read at once when a search is opened.
  static let firstChunk = 32

  init(
    type: String, retrieval: Retrieval, cipher: RecordCipher, totalCount: Int?, items: [FoundItem], source: Source?
  ) {
    self.type = type
    self.retrieval = retrieval
    self.cipher = cipher
    self.totalCount = totalCount
    state = Locked(State(items: items[...], source: source))
  }

  deinit { close() }

  /// The next records, `count` at most; an empty page at the end.
  package func next(_ count: Int) throws(WalletError) -> Page {
    let items = try state.withLock { state throws(WalletError) in
      if state.items.count < count { Self.read(count - state.items.count, into: &state) }
      if state.items.count < count, let failure = state.failure { throw failure }
      let page = Array(state.items.prefix(max(count, 0)))
      state.items = state.items.dropFirst(page.count)
      return page
    }
    var records: [RetrievedRecord] = []
    records.reserveCapacity(items.count)
    for item in items { records.append(try open(item)) }
    return Page(totalCount: totalCount, records: records)
  }

  /// Releases the result. Later pages throw `closed`; closing twice is harmless.
  package func close() {
    state.withLock { state in
      state.source?.close()
      state = State(items: [], source: nil, failure: .closed)
    }
  }

  /// Whether the file may have more records to read.
  var holdsSnapshot: Bool { state.withLock { $0.source != nil } }

  /// Reads the remaining records into memory and releases the file. If that fails, a later page gives the reason.
  func detach() {
    state.withLock { state in Self.read(.max, into: &state) }
  }

  private static func read(_ count: Int, into state: inout State) {
    guard let source = state.source else { return }
    do {
      let items = try source.cursor.next(count)
      state.items += items
      if items.count == count { return }
    } catch {
      state.failure = source.lent.reader.predicateFailure ?? WalletError(error)
    }
    source.close()
    state.source = nil
  }

  private func open(_ item: FoundItem) throws(WalletError) -> RetrievedRecord {
    RetrievedRecord(
      type: retrieval.type ? type : nil, id: try cipher.open(name: item.name),
      value: try item.value.map { value throws(WalletError) in try cipher.open(value) },
      tags: retrieval.tags ? try cipher.open(item.tags) : nil)
  }
}
