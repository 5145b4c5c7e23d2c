public import CMSDKCalls
internal import CMSDK

/// A record of the wallet: a text under a type and an id, with tags to find it by.
public struct Record: Sendable, Equatable, Identifiable, Decodable {
  public let id: String
  public let value: String
  public let tags: [String: String]

  private enum CodingKeys: String, CodingKey { case id, value, tags }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    id = try members.decode(String.self, forKey: .id)
    value = try members.decodeIfPresent(String.self, forKey: .value) ?? ""
    tags = try members.decodeIfPresent([String: String].self, forKey: .tags) ?? [:]
  }
}

/// The records of the running session's wallet. A write is on the disk when the call returns.
public enum Wallet {
  private static let everything = #"{"retrieveType":true,"retrieveValue":true,"retrieveTags":true}"#

  /// Adds a record. A tag whose name begins with `~` is stored readable, others are encrypted.
  public static func add(
    type: String, id: String, value: String, tags: [String: String] = [:]
  ) async throws(MSDKError) {
    let tags = JSONText.of(tags)
    try await Call.done { vcx_wallet_add_record($0, type, id, value, tags, $1) }
  }

  public static func record(type: String, id: String) async throws(MSDKError) -> Record {
    try JSONText.read(
      Record.self, await Call.text { vcx_wallet_get_record($0, type, id, Self.everything, $1) })
  }

  /// Replaces the value. The tags stay.
  public static func update(type: String, id: String, value: String) async throws(MSDKError) {
    try await Call.done { vcx_wallet_update_record_value($0, type, id, value, $1) }
  }

  /// Replaces all tags.
  public static func setTags(_ tags: [String: String], type: String, id: String) async throws(MSDKError) {
    let tags = JSONText.of(tags)
    try await Call.done { vcx_wallet_update_record_tags($0, type, id, tags, $1) }
  }

  public static func delete(type: String, id: String) async throws(MSDKError) {
    try await Call.done { vcx_wallet_delete_record($0, type, id, $1) }
  }

  /// The records of a type that satisfy a query, such as `{"with":"Faber"}`, as the wallet is when the loop begins.
  public static func search(type: String, query: String = "{}") -> Search { Search(type: type, query: query) }

  /// See ``search(type:query:)``.
  public struct Search: AsyncSequence, Sendable {
    public typealias Element = Record

    let type, query: String

    public func makeAsyncIterator() -> Iterator { Iterator(type: type, query: query) }

    public struct Iterator: AsyncIteratorProtocol {
      private let type, query: String
      private var open: OpenSearch?
      private var page: ArraySlice<Record> = []
      private var isAtEnd = false

      init(type: String, query: String) { (self.type, self.query) = (type, query) }

      public mutating func next() async throws(MSDKError) -> Record? {
        if page.isEmpty, !isAtEnd {
          let search = try await opened()
          page = try await search.next(100)[...]
          isAtEnd = page.isEmpty
        }
        return page.popFirst()
      }

      private mutating func opened() async throws(MSDKError) -> OpenSearch {
        if let open { return open }
        let search = try await OpenSearch(type: type, query: query)
        open = search
        return search
      }
    }
  }
}

/// A search of the library, which is closed with the last reference.
private final class OpenSearch: Sendable {
  private let handle: vcx_search_handle_t

  init(type: String, query: String) async throws(MSDKError) {
    let options = #"{"retrieveValue":true,"retrieveTags":true}"#
    handle = try await Call.search { vcx_wallet_open_search($0, type, query, options, $1) }
  }

  deinit { _ = vcx_wallet_close_search(0, handle) { _, _ in } }

  func next(_ count: Int) async throws(MSDKError) -> [Record] {
    struct Page: Decodable { let records: [Record]? }
    let text = try await Call.text { vcx_wallet_search_next_records($0, handle, count, $1) }
    return try JSONText.read(Page.self, text).records ?? []
  }
}
