internal import AgencyWire
internal import DIDComm

// Rows of the tables. They become values of the domain outside of the database's transactions.

struct IdentityRow {
  let verkey: String
  let secret: [UInt8]

  init(_ identity: Identity) {
    verkey = identity.verkey.text
    secret = identity.sealedKey.bytes
  }

  init<Row: SQLRow>(_ row: Row) throws(Row.Failure) {
    verkey = try row.text(0)
    secret = try row.blob(1)
  }

  func identity() throws(StorageError) -> Identity {
    guard let verkey = try? VerKey(verkey) else { throw .damaged(table: "identity") }
    return Identity(verkey: verkey, sealedKey: SealedKey(secret))
  }
}

struct AccountRow {
  static let columns = """
    agents.id, agents.did, agents.verkey, agents.secret, agents.owner_verkey, agents.state, agents.sponsor_id,
    agents.last_seen, agents.locked
    """

  let id: Int64
  private let did: String
  private let verkey: String
  private let secret: [UInt8]
  private let owner: String
  private let state: String
  private let sponsorID: String?
  private let lastSeen: Int64
  private let isLocked: Bool

  init<Row: SQLRow>(_ row: Row) throws(Row.Failure) {
    id = try row.integer(0)
    did = try row.text(1)
    verkey = try row.text(2)
    secret = try row.blob(3)
    owner = try row.text(4)
    state = try row.text(5)
    sponsorID = try row.optionalText(6)
    lastSeen = try row.integer(7)
    isLocked = try row.integer(8) != 0
  }

  var isCreated: Bool { state == Account.State.created.rawValue }

  func agent() throws(StorageError) -> Account {
    guard let verkey = try? VerKey(verkey), let owner = try? VerKey(owner), let state = Account.State(rawValue: state)
    else { throw .damaged(table: "agents") }
    return Account(
      id: id, party: Party(did: did, verkey: verkey), sealedKey: SealedKey(secret), owner: owner, state: state,
      sponsorID: sponsorID, lastSeen: lastSeen, isLocked: isLocked)
  }
}

extension AccountSummary {
  /// The accounts after a number, up to another number. The messages are counted in an index, without reading them.
  static let select = """
    SELECT agents.id, agents.did, CASE WHEN locked = 0 THEN state ELSE 'locked' END, sponsor_id, sponsee_id, agents.created, last_seen,
    count(DISTINCT pairwise.id), count(CASE status WHEN 'MS-103' THEN 1 END), count(messages.id),
    CAST(coalesce(sum(size), 0) AS BIGINT)
    FROM (SELECT * FROM agents WHERE id > $1 ORDER BY id LIMIT $2) AS agents
    LEFT JOIN pairwise ON agent_id = agents.id AND deleted IS NULL
    LEFT JOIN messages ON pairwise_id = pairwise.id
    GROUP BY agents.id, agents.did, state, locked, sponsor_id, sponsee_id, agents.created, last_seen
    ORDER BY agents.id
    """

  init<Row: SQLRow>(_ row: Row) throws(Row.Failure) {
    id = try row.integer(0)
    did = try row.text(1)
    state = try row.text(2)
    sponsorID = try row.optionalText(3)
    sponseeID = try row.optionalText(4)
    created = try row.integer(5)
    lastSeen = try row.integer(6)
    let (unread, all) = (Int(try row.integer(8)), Int(try row.integer(9)))
    holdings = Holdings(
      mailboxes: Int(try row.integer(7)), unread: unread, read: all - unread, bytes: Int(try row.integer(10)))
  }
}

struct MailboxRow {
  /// For `FROM pairwise JOIN agents`.
  static let columns = """
    pairwise.id, pairwise.agent_id, pairwise.did, pairwise.verkey, pairwise.secret, pairwise.for_did,
    pairwise.for_verkey, agents.owner_verkey, pairwise.deleted IS NOT NULL,
    agents.locked
    """

  let id: Int64
  let agentID: Int64
  private let did: String
  private let verkey: String
  private let secret: [UInt8]
  let forDID: String
  let forVerKey: String
  private let owner: String
  let isDeleted: Bool
  private let isLocked: Bool

  init<Row: SQLRow>(_ row: Row) throws(Row.Failure) {
    id = try row.integer(0)
    agentID = try row.integer(1)
    did = try row.text(2)
    verkey = try row.text(3)
    secret = try row.blob(4)
    forDID = try row.text(5)
    forVerKey = try row.text(6)
    owner = try row.text(7)
    isDeleted = try row.integer(8) != 0
    isLocked = try row.integer(9) != 0
  }

  func mailbox() throws(StorageError) -> Mailbox {
    guard let verkey = try? VerKey(verkey), let forDID = try? DID(forDID), let forVerKey = try? VerKey(forVerKey),
      let owner = try? VerKey(owner)
    else { throw .damaged(table: "pairwise") }
    return Mailbox(
      id: id, agentID: agentID, party: Party(did: did, verkey: verkey), sealedKey: SealedKey(secret), forDID: forDID,
      forVerKey: forVerKey, owner: owner, isDeleted: isDeleted, isLocked: isLocked)
  }
}
