internal import JSON
internal import MSDK
internal import ProgramArguments

/// The content of an offer, for the user. Nobody has checked it; the library checks the credential itself.
struct OfferedCredential {
  /// `{"name", "attributes", "cred_def_id", "schema_id", "thid"}`.
  let json: JSON

  /// An unreadable message gives an offer without content.
  init(_ message: String) {
    json = (try? Credential.summary(ofOffer: message)).flatMap { try? JSON(parsing: $0) } ?? .object([:])
  }

  func lines(of entry: OpenExchange) -> [String] {
    let attributes = (json["attributes"]?.array ?? []).map { attribute in
      ContentRow(
        name: attribute["name"]?.string ?? "", value: attribute["value"]?.string ?? attribute["value"]?.text ?? "")
    }
    let name = ContentRow.title(json["name"]?.string ?? "")
    return ["\(entry.record.number)  \(printable(entry.name)) offers a credential: \(name)"]
      + ContentRow.lines(attributes)
  }
}
