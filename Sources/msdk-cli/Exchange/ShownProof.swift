internal import Credentials
internal import Indy
internal import JSON
internal import MSDK
internal import ProgramArguments

/// The content of a request, as the user sees it.
enum RequestedItems {
  static func title(of entry: OpenExchange) -> [String] {
    let summary = (try? DisclosedProof.summary(ofRequest: entry.record.message)).flatMap { try? JSON(parsing: $0) }
    let name = summary?["name"]?.string.flatMap { $0.isEmpty ? nil : ": \(ContentRow.title($0))" } ?? ""
    return ["\(entry.record.number)  \(printable(entry.name)) asks for a proof\(name)"]
  }

  /// A line below the content of a proof that is made already.
  static let made = "   An earlier command has made this proof, and the other side may have it."

  static func fault(_ text: String) -> [String] { ContentRow.lines([ContentRow(name: text, value: "")]) }
}

extension ProofChoice {
  /// The content that the other side would see, for people.
  var lines: [String] {
    let sources = credentials.map { source in
      let place = source.id.map { "the credential \($0.prefix(8))" } ?? "a credential of \(source.definition)"
      return ContentRow(
        word: "from", name: source.schema.schemaNameOfIndy ?? source.schema,
        value: place + (source.isRevoked ? ", which is revoked" : ""))
    }
    // The values that leave the wallet stand last, next to the question: a verifier may ask for many other things.
    let rows = items.filter { !$0.showsValues } + items.filter(\.showsValues)
    return ContentRow.lines(rows.flatMap(\.rows) + sources) + summary
  }

  /// The names of all shown attributes in a line, if their rows may have left the terminal.
  private var summary: [String] {
    guard items.count > 12 else { return [] }
    var seen: Set<String> = []
    let names = items.filter(\.showsValues).flatMap(\.names).map { ContentRow.title($0) }
    let shown = names.filter { seen.insert(AttributeName($0).text).inserted }
    return ["   Of \(items.count) items it shows the values of: \(shown.joined(separator: ", "))"]
  }

  /// The used credentials, each once.
  private var credentials: [Source] {
    var seen: Set<Source> = []
    return items.compactMap { item in
      guard case .credential(let source, _) = item.answer, seen.insert(source).inserted else { return nil }
      return source
    }
  }

  var json: JSON { .array(items.map(\.json)) }
}

extension ProofChoice.Item {
  fileprivate var showsValues: Bool {
    switch answer {
    case .credential: condition == nil
    case .stated: true
    case .unstated, .revoked, .missing: false
    }
  }

  fileprivate var rows: [ContentRow] {
    let names = names.joined(separator: ", ")
    let start = condition.map { $0 + ": " } ?? ""
    switch answer {
    case .credential(_, let values):
      guard let condition else { return values.map { ContentRow(word: "shows", name: $0.name, value: $0.value) } }
      return [ContentRow(word: "proves", name: names, value: "\(condition), without showing the value")]
    case .stated(let value): return [ContentRow(word: "states", name: names, value: value)]
    case .unstated: return [ContentRow(word: "lacks", name: names, value: "a value that you state (--attest)")]
    case .revoked: return [ContentRow(word: "lacks", name: names, value: start + "the credential is revoked")]
    case .missing: return [ContentRow(word: "lacks", name: names, value: start + "no credential fits")]
    }
  }

  fileprivate var json: JSON {
    var object: JSONObject = ["names": JSON(names), "condition": JSON(condition)]
    switch answer {
    case .credential(let source, let values):
      object["answer"] = "credential"
      object["credential"] = JSON(source.id)
      if condition == nil { object["shows"] = .object(JSONObject(values.map { ($0.name, .string($0.value)) })) }
    case .stated(let value):
      object["answer"] = "stated"
      object["shows"] = .object(JSONObject(names.map { ($0, .string(value)) }))
    case .unstated: object["answer"] = "unstated"
    case .revoked: object["answer"] = "revoked"
    case .missing: object["answer"] = "missing"
    }
    return .object(object)
  }
}
