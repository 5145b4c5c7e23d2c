internal import Aries
internal import CloudAgent
internal import DIDComm
internal import Logging
internal import Wallet

/// The mailboxes for answers to exchanges without a connection. Each serves one exchange. The wallet notes its key under
/// the exchange's thread, so that a process that goes on with the exchange names the same mailbox.
struct AnswerMailboxes {
  private let session: Session
  private let records: LibraryRecords

  init(of session: Session) {
    self.session = session
    records = LibraryRecords(of: "msdk.answers", in: session.wallet)
  }

  /// The way to a service that the peer has named, with a mailbox for the answer. Without a Cloud Agent there is none, and
  /// the peer can answer only in the response.
  func route(to service: Service, on thread: String) throws -> Route {
    guard session.settings.account != nil else { return .service(service) }
    let mailbox = try session.openMailbox(for: key(of: thread) ?? newKey(of: thread))
    return .connection(
      ExchangeConnection(
        key: mailbox.key, agentDID: mailbox.agent.did, agentKey: mailbox.agent.verkey.text,
        peer: Peer(document: service.document(id: service.recipientKeys[0].did.text)), isConnectionless: true,
        isTemporary: true))
  }

  /// Closes the mailbox of an exchange, if it has one. A failure is only logged: an open mailbox does no harm.
  func close(_ thread: String) {
    do {
      guard let key = try key(of: thread) else { return }
      for mailbox in try session.book.mailboxes(of: [key.did.text]) { try session.closeMailbox(mailbox) }
      try session.wallet.make([records.removing(thread)])
    } catch {
      Log.warning("the mailbox of an exchange could not be closed: \(error)")
    }
  }

  private func key(of thread: String) throws -> VerKey? { try records.find(thread).map { try VerKey($0.value) } }

  private func newKey(of thread: String) throws -> VerKey {
    let key = try session.wallet.createDID().verkey
    try session.wallet.make([records.putting(thread, value: key.text)])
    return key
  }
}
