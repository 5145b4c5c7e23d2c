internal import Credentials
internal import JSON
internal import MSDK
internal import ProgramArguments
internal import Time

// The commands that look into the wallet's credentials.

extension OpenSession {
  /// Lists the credentials that satisfy the query, in the order of their arrival, page by page.
  func listCredentials() throws {
    let search = try CredentialStore(wallet: session.wallet).search(query())
    defer { search.close() }
    let names = try namesByDID()
    var (skipped, shown) = (0, 0)
    while shown < arguments.limit, case let page = try search.next(Self.pageSize), !page.isEmpty {
      let wanted = page.dropFirst(arguments.skip - skipped).prefix(arguments.limit - shown)
      skipped += min(page.count, arguments.skip - skipped)
      shown += wanted.count
      for credential in wanted {
        let shown = ShownCredential(credential, from: credential.connection.flatMap { names[$0] })
        try arguments.show(shown.json(withAttachedData: false), shown.lines + [""])
      }
    }
    if shown == 0, !arguments.wantsJSON { try arguments.show([nothingFound(skipped)]) }
  }

  /// Shows one credential, by its id or the beginning of it.
  func showCredential() throws {
    let store = CredentialStore(wallet: session.wallet)
    let ids = try store.all().map(\.id).filter { $0.hasPrefix(arguments.operands[0]) }
    guard let id = ids.first(where: { $0 == arguments.operands[0] }) ?? ids.first else {
      throw Failure("No credential has an id that begins with \(quoted(arguments.operands[0])).")
    }
    guard ids.count == 1 || id == arguments.operands[0] else {
      throw Failure("Several credentials have ids that begin with \(quoted(arguments.operands[0])).")
    }
    let credential = try store.found(id)
    let shown = ShownCredential(credential, from: try credential.connection.flatMap { try namesByDID()[$0] })
    try arguments.show(shown.json(withAttachedData: true), shown.lines)
  }

  private static var pageSize: Int { 100 }

  private func query() throws -> CredentialQuery {
    do {
      var conditions = try JSON(parsing: arguments.operands.first ?? "{}")
      if let name = arguments[.from] {
        conditions["connection"] = .string(try connections.find(name).connection.pairwiseDID)
      }
      return try CredentialQuery(parsing: conditions.text)
    } catch let error as Failure {
      throw error
    } catch {
      throw UsageError(asSentence("\(error)"), of: arguments.command)
    }
  }

  private func nothingFound(_ skipped: Int) -> String {
    if skipped > 0 { return "No further credential fits." }
    let isSearch = !arguments.operands.isEmpty || arguments.has(.from)
    return isSearch ? "The wallet has no credential that fits." : "The wallet has no credential."
  }

  /// The names of the connections by this side's pairwise DIDs.
  private func namesByDID() throws -> [String: String] {
    Dictionary(try connections.all().map { ($1.pairwiseDID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// A credential as the user sees it.
private struct ShownCredential {
  private let found: FoundCredential
  /// The user's name of the connection that brought it; nil if the connection is unknown or forgotten.
  private let connection: String?

  init(_ found: FoundCredential, from connection: String?) {
    (self.found, self.connection) = (found, connection)
  }

  func json(withAttachedData: Bool) throws -> JSON {
    let text = found.text(withAttachedData: withAttachedData)
    var json = try JSON(parsing: text).requireObject()
    let members = [("id", json["referent"]), ("values", json["attrs"])].compactMap { name, value in
      value.map { (name, $0) }
    }
    (json["referent"], json["attrs"]) = (nil, nil)
    json["connection"] = JSON(connection)
    return .object(JSONObject(members + json.members.map { ($0.key, $0.value) }))
  }

  var lines: [String] {
    let content = found.held.content
    let name = found.held.tags["schema_name"] ?? content.schemaID
    let title = "\(ContentRow.title(name)), the credential \(printable(String(found.held.id.prefix(8))))"
    let values = content.attributes.map { ContentRow(name: $0.spelling, value: $0.raw) }.sorted { $0.name < $1.name }
    return [title + (found.held.isRevoked ? ", revoked" : "")] + ContentRow.lines(values) + origin + words
  }

  private var origin: [String] {
    guard let received = found.received else { return [] }
    let source = connection.map { " from \(printable($0))" } ?? ""
    return ["   received \(Timestamp(seconds: received).minute) UTC\(source)"]
  }

  /// The issuer's words, and the names of the attachments. A label before the words tells them from the lines of `msdk`.
  private var words: [String] {
    let texts = ["comment", "goal"].compactMap { member -> String? in
      guard let text = found.display?[member]?.string, !text.isEmpty else { return nil }
      return "\(member): \(text)"
    }
    let attached = (found.display?["attachments"]?.array ?? []).map { attachment in
      let name = ["filename", "description", "@id"].compactMap { attachment[$0]?.string }.first ?? ""
      return "attached: \(name)" + (attachment["mime-type"]?.string.map { ", \($0)" } ?? "")
    }
    return (texts + attached).map { "   " + printable(ContentRow.shortened($0), indentation: 9) }
  }
}
