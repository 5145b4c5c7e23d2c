internal import Aries
internal import CloudAgent
internal import DIDComm
internal import JSON
internal import Logging
internal import Sodium
internal import Wallet

/// The mailboxes for answers to exchanges without a connection. Each mailbox serves one exchange. The wallet notes its
/// key under the exchange's thread and the peer's service, so that a process that continues the exchange names the same
/// mailbox. The thread alone does not suffice, nor the key: anybody can repeat them in an offer of their own.
struct AnswerMailboxes {
  private let session: Session
  private let records: LibraryRecords

  init(of session: Session) {
    self.session = session
    records = LibraryRecords(of: "msdk.answers", in: session.wallet)
  }

  /// The route to a service that the peer has named, with a mailbox for the answer. Without a Cloud Agent there is no
  /// mailbox, and the peer can answer only in the response.
  func route(to service: Service, on thread: String) throws -> Route {
    guard session.hasCloudAgent else { return .service(service) }
    let name = Self.name(thread, for: service)
    let mailbox = try session.openMailbox(for: key(of: name) ?? newKey(of: name))
    return .connection(
      ExchangeConnection(
        own: Pairwise(mailbox), peer: Peer(document: service.document(id: service.recipientKeys[0].did.text)),
        isConnectionless: true,
        isTemporary: true))
  }

  /// Closes the mailbox for the answer to an offer, if it has one. If that fails, it only logs the failure: an open
  /// mailbox does no harm.
  func close(_ thread: String, answering offer: IssueCredentialMessage?) {
    do {
      guard let service = try offer?.replyService() else { return }
      let name = Self.name(thread, for: service)
      guard let key = try key(of: name) else { return }
      for mailbox in try session.book.mailboxes(of: [key.did.text]) { try session.closeMailbox(mailbox) }
      try session.wallet.make([records.removing(name)])
    } catch {
      Log.warning("the mailbox of an exchange could not be closed: \(error)")
    }
  }

  /// The id of the note about an exchange with a service.
  static func name(_ thread: String, for service: Service) -> String {
    "\(thread) \(sha256(service.decorator.bytes).hex)"
  }

  private func key(of name: String) throws -> VerKey? { try records.find(name).map { try VerKey($0.value) } }

  private func newKey(of name: String) throws -> VerKey {
    let key = try session.wallet.createDID().verkey
    try session.wallet.make([records.putting(name, value: key.text)])
    return key
  }
}
