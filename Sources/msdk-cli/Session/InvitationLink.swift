internal import Sodium

/// An invitation as a URL (RFC 0434), and as a picture of it.
struct InvitationLink {
  let url: String

  /// The URL carries the invitation, so any address will do before it. It is the Cloud Agent's, so that a camera recognizes
  /// a web page.
  init(_ invitation: String, at endpoint: String?) {
    let endpoint = endpoint ?? "https://example.org"
    url = endpoint + (endpoint.contains("?") ? "&" : "?") + "oob=" + Base64.encode(Array(invitation.utf8), .url)
  }

  func picture() throws(Failure) -> Picture { try Picture(of: url) }
}
