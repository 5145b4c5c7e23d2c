internal import Aries
internal import CloudAgent
internal import DIDComm
internal import HTTP
internal import JSON
internal import Logging
internal import Sodium
internal import Wallet

/// A mediator's invitation in the configuration of provisioning: its JSON, or the URL that carries it or leads to it.
struct MediatorInvitation: Sendable {
  static let name = "mediator_invitation"

  private let text: String
  private let authorities: String?

  /// Returns nil if the configuration has none.
  init?(_ config: SettingsReader) throws(SettingsError) {
    guard let text = try config.objectText(Self.name) else { return nil }
    self.text = text
    authorities = try config.authorities()
  }

  /// Connects with the mediator, asks it for mediation, and returns the owner and the members of the configuration. The
  /// program can repeat a failed registration: the wallet keeps the progress of an attempt with this invitation.
  func register(_ request: Registration) throws -> (owner: Party, members: JSONObject) {
    let invitation = try invitation()
    let attempts = EnrolmentRecord(of: invitation, in: request.wallet)
    let filing = MessageFiling(inbox: Inbox(in: request.wallet), book: MailboxBook(wallet: request.wallet))
    let enrolment = MediatorEnrolment(
      invitation: invitation, label: request.name ?? "msdk", keys: request.wallet,
      over: MediatorPosts(over: request.http),
      makeKey: { isFirst in try request.wallet.createParty(seed: isFirst ? request.seed : nil).verkey },
      save: attempts.save, keep: filing.file)
    let account = MediatorAccount(try enrolment.run(from: attempts.load()))
    Log.info("the mediator at \(account.mediator.endpoint) passes messages on for \(account.own.did)")
    return (Party(did: account.own.did.text, verkey: account.own), account.members)
  }

  private func invitation() throws -> Invitation {
    let resolved = try InvitationText(text).resolved(reach: .anywhere, trusting: authorities)
    guard let json = try? JSON(parsing: resolved) else {
      throw InvitationError.unsupported("a mediator's invitation is JSON, or a URL that carries it")
    }
    let isOutOfBand = json["services"] != nil || json["service"] != nil
    let invitation: Invitation =
      try isOutOfBand ? .outOfBand(OutOfBandInvitation(json)) : .connection(ConnectionInvitation(json))
    guard invitation.offersHandshake else { throw InvitationError.unsupported("it offers no handshake") }
    guard invitation.service != nil else {
      throw InvitationError.unsupported("it names the mediator by a DID whose keys only a ledger or a web server tells")
    }
    return invitation
  }
}

/// The record of an attempt to register at a mediator, by the invitation.
struct EnrolmentRecord: Sendable {
  private let records: LibraryRecords
  private let wallet: Wallet
  private let id: String

  init(of invitation: Invitation, in wallet: Wallet) {
    records = LibraryRecords(of: "msdk.mediator", in: wallet)
    self.wallet = wallet
    let key = invitation.service?.recipientKeys.first?.text ?? ""
    id = sha256(Array("\(invitation.id)\n\(key)".utf8)).hex
  }

  /// The state of the last attempt; nil if there is none.
  func load() throws -> MediatorEnrolment.State? {
    guard let text = try records.find(id)?.value, let object = try? JSON(parsing: text).requireObject() else {
      return nil
    }
    return try? MediatorEnrolment.State(object)
  }

  /// Keeps the state, on the disk.
  func save(_ state: MediatorEnrolment.State) throws {
    try wallet.make([records.putting(id, value: JSON.object(state.json).text)])
  }
}
