internal import HTTPServing
internal import JSON
internal import Sodium

/// The invitation in a link to the agency, for users who open the link in a browser.
struct InvitationLink {
  let invitation: JSON

  /// The parameters that can hold an invitation.
  private static let parameters = ["c_i", "oob"]
  private static let maximumDepth = 32

  /// Returns nil if there is none.
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
