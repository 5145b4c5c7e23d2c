internal import JSON
internal import MSDK
internal import ProgramArguments

/// The content of an offer, as the user sees it. Nobody has checked it: the credential itself will be.
struct OfferedCredential {
  /// `{"name", "attributes", "cred_def_id", "schema_id", "thid"}`.
  let json: JSON

  /// A message that cannot be read gives an offer without content.
  init(_ message: String) {
    json = (try? Credential.summary(ofOffer: message)).flatMap { try? JSON(parsing: $0) } ?? .object([:])
  }

  func lines(of entry: OpenExchange) -> [String] {
    let attributes = (json["attributes"]?.array ?? []).map { attribute in
      ContentRow(
        name: attribute["name"]?.string ?? "", value: attribute["value"]?.string ?? attribute["value"]?.text ?? "")
    }
    let name = json["name"]?.string ?? ""
    return ["\(entry.record.number)  \(printable(entry.name)) offers a credential: \(printable(name))"]
      + ContentRow.lines(attributes)
  }
}
