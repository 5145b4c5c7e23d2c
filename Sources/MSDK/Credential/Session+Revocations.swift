internal import Aries
internal import Credentials
package import DIDComm
internal import JSON
internal import Logging

extension Session {
  /// Notes a message about the revocation of a credential, if it comes from the credential's issuer, over the
  /// connection that brought it. Every message stays for the application.
  func noteRevocation(_ message: Message, from sender: VerKey?, over pairwiseDID: String) {
    guard case .revocation(let notification) = message else { return }
    do {
      guard let id = try credential(of: notification, from: sender, over: pairwiseDID) else {
        return Log.warning(
          "connection \(pairwiseDID): a revocation is ignored, since another one brought the credential")
      }
      guard try credentials.apply(notice: notification.id, to: id, revoked: notification.isRevoked) else { return }
      Log.info("credential \(id) is \(notification.isRevoked ? "revoked" : "no longer revoked")")
    } catch {
      Log.warning("a revocation could not be noted: \(error)")
    }
  }

  /// The id of the credential that a notice of revocation is about. Returns nil for another message, if the wallet has no such
  /// credential, or if another peer than its issuer, or another connection, brought the notice.
  package func credential(ofNotice text: String, from sender: VerKey?, over pairwiseDID: String) throws -> String? {
    guard case .revocation(let notification) = try Message(JSON(parsing: text)) else { return nil }
    return try credential(of: notification, from: sender, over: pairwiseDID)
  }

  private func credential(
    of notification: RevocationNotification, from sender: VerKey?, over pairwiseDID: String
  ) throws -> String? {
    guard let (id, source) = try source(of: notification), source.connection == pairwiseDID, let sender,
      source.issuerKeys.contains(sender.text)
    else { return nil }
    return id
  }

  /// The credential that a notification is about, and its origin; nil if the wallet has no such credential.
  func source(of notification: RevocationNotification) throws -> (id: String, source: CredentialSource)? {
    guard let id = try id(of: notification.credential), let source = try credentials.source(of: id) else { return nil }
    return (id, source)
  }

  /// The id under which the wallet would hold a credential; nil if it cannot hold it.
  private func id(of credential: RevokedCredential) throws -> String? {
    switch credential {
    case .thread(let thread): thread
    case .registry(let registry, let index): try credentials.credential(registry: registry, index: Int64(index))?.id
    }
  }
}
