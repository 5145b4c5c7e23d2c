internal import HTTPServing
internal import JSON
internal import Sodium

/// The invitation in a link to the agency, for users who open the link in a browser.
struct InvitationLink {
  let invitation: JSON

  /// The parameters that can hold an invitation.
  private static let parameters = ["c_i", "oob"]
  private static let maximumDepth = 32

  /// Returns nil if no parameter holds an invitation.
  init?(_ query: [HTTPServer.Request.Field]) {
    guard let field = query.first(where: { Self.parameters.contains($0.name) }) else { return nil }
    // An unescaped plus sign of base64 in a query means a space.
    let text = String(field.value.map { $0 == " " ? "+" : $0 })
    guard let bytes = try? Base64.decodeAny(text), let json = try? JSON(parsing: bytes),
      json["@type"]?.string != nil, !json.isDeeper(than: Self.maximumDepth)
    else { return nil }
    invitation = json
  }
}

extension JSON {
  /// Whether the nesting of arrays and objects exceeds `limit`.
  fileprivate func isDeeper(than limit: Int) -> Bool {
    guard limit > 0 else { return true }
    return switch self {
    case .array(let elements): elements.contains { $0.isDeeper(than: limit - 1) }
    case .object(let object): object.members.contains { $0.value.isDeeper(than: limit - 1) }
    default: false
    }
  }
}
