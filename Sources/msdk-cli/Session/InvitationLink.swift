internal import Files
internal import QRCode
internal import Sodium

/// An invitation as a URL (RFC 0434), and as a picture of it.
struct InvitationLink {
  let url: String

  /// Any address will do before the invitation, which the URL carries: the agency's, so that a camera knows a web page.
  init(_ invitation: String, at endpoint: String?) {
    url = (endpoint ?? "https://example.org") + "?oob=" + Base64.encode(Array(invitation.utf8), .url)
  }

  func picture() throws(Failure) -> String { String(try code().text.dropLast()) }

  func writePicture(to path: String) throws {
    let picture = try code().png()
    do { try FileWriter(creating: path, mode: 0o644).write(picture) } catch {
      throw Failure("The picture \(quoted(path)) cannot be written: \(error).")
    }
  }

  private func code() throws(Failure) -> QRCode {
    guard let code = QRCode(url) else { throw Failure("The invitation is too long for a QR code.") }
    return code
  }
}
