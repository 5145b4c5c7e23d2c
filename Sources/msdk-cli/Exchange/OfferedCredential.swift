internal import JSON
internal import MSDK
internal import ProgramArguments

/// The content of an offer, for the user. Nobody has checked it; the library checks the credential itself.
struct OfferedCredential {
  /// `{"name", "attributes", "cred_def_id", "schema_id", "thid", "comment"}`.
  let json: JSON

  /// An unreadable message gives an offer without content.
  init(_ message: String) {
    var json = (try? Credential.summary(ofOffer: message)).flatMap { try? JSON(parsing: $0) } ?? .object([:])
    json["comment"] = JSON((try? JSON(parsing: message))?["comment"]?.string)
    self.json = json
  }

  func lines(of entry: OpenExchange) -> [String] {
    let attributes = (json["attributes"]?.array ?? []).map { attribute in
      ContentRow(
        name: attribute["name"]?.string ?? "", value: attribute["value"]?.string ?? attribute["value"]?.text ?? "")
    }
    let name = ContentRow.title(json["name"]?.string ?? "")
    return ["\(entry.record.number)  \(printable(entry.name)) offers a credential: \(name)"]
      + ContentRow.lines(attributes) + comment
  }

  /// The issuer's words, if they are not only the credential's name. A label before them tells them from the lines of `msdk`.
  private var comment: [String] {
    guard let text = json["comment"]?.string, !text.isEmpty, text != json["name"]?.string else { return [] }
    return ["   " + printable("comment: " + ContentRow.shortened(text), indentation: 9)]
  }
}
