package import JSON

/// A place where an issuer publishes its objects. Calls block, and return once others can read the object.
///
/// To publish an object again changes nothing and succeeds. An object that differs from the published object with its
/// id is refused.
package protocol Publisher: Sendable {
  /// Whether objects with this id can be published here.
  func takes(_ id: String) -> Bool

  /// The number of a schema, which the ids of its definitions contain. Ledgers number schemas when they are published.
  func number(ofSchema id: String) throws(PublicationError) -> Int64

  /// Publishes an object that never changes.
  func publish(_ object: JSON, _ kind: ObjectKind, _ id: String) throws(PublicationError)

  /// Publishes the status of a revocation registry.
  func publish(_ update: StatusUpdate) throws(PublicationError)

  /// Publishes a tails file, which has the name of its hash. Returns the place from which holders fetch it, as the
  /// registry's definition names it. `id` is that of the credential definition.
  func publish(tails path: String, hash: String, of id: String) throws(PublicationError) -> String

  /// A transaction that publishes an object, as JSON text, signed by its author for an endorser.
  func prepare(
    _ object: JSON, _ kind: ObjectKind, _ id: String, for endorser: String
  ) throws(PublicationError) -> String

  /// A transaction that publishes the status of a revocation registry, as JSON text, signed by its author for an
  /// endorser.
  func prepare(_ update: StatusUpdate, for endorser: String) throws(PublicationError) -> String

  /// Signs the transaction of another author and publishes it. Throws `forged` if the author has not signed it.
  func endorse(_ transaction: IndyTransaction) throws(PublicationError)
}

/// Most places take any id, and only ledgers have endorsers.
extension Publisher {
  package func takes(_ id: String) -> Bool { true }

  package func prepare(
    _ object: JSON, _ kind: ObjectKind, _ id: String, for endorser: String
  ) throws(PublicationError) -> String { throw .notConfigured }

  package func prepare(_ update: StatusUpdate, for endorser: String) throws(PublicationError) -> String {
    throw .notConfigured
  }

  package func endorse(_ transaction: IndyTransaction) throws(PublicationError) { throw .notConfigured }
}

/// The new status of a revocation registry.
package struct StatusUpdate: Equatable, Sendable {
  package let registryID: String
  /// The whole status list, in the engine's form. Its publication decides its timestamp.
  package let list: JSON
  /// The last published accumulator; nil for the first status.
  package let previousAccumulator: String?
  /// The places that have become valid since the last published status.
  package let issued: [Int64]
  /// The places that have been revoked since the last published status.
  package let revoked: [Int64]

  package init(
    registryID: String, list: JSON, previousAccumulator: String? = nil, issued: [Int64] = [], revoked: [Int64] = []
  ) {
    self.registryID = registryID
    self.list = list
    self.previousAccumulator = previousAccumulator
    self.issued = issued
    self.revoked = revoked
  }

  /// The update to the same list from the status that the registry has. Returns nil if one of the lists cannot be compared.
  func following(_ known: JSON) -> StatusUpdate? {
    guard let before = known["revocationList"]?.array, let after = list["revocationList"]?.array,
      before.count == after.count, let accumulator = known["currentAccumulator"]?.string
    else { return nil }
    let changed = after.indices.filter { before[$0] != after[$0] }.map(Int64.init)
    let isRevoked = { (place: Int64) in after[Int(place)] == 1 }
    return StatusUpdate(
      registryID: registryID, list: list, previousAccumulator: accumulator, issued: changed.filter { !isRevoked($0) },
      revoked: changed.filter(isRevoked))
  }

  /// Throws if the list would undo a published revocation unintentionally, because another writer has published more
  /// revocations.
  func requireRevocations(of published: JSON) throws(PublicationError) {
    let (old, new) = (published["revocationList"]?.array ?? [], list["revocationList"]?.array ?? [])
    let meant = Set(issued)
    let lost = old.indices.filter {
      old[$0] == 1 && !(new.indices.contains($0) && new[$0] == 1) && !meant.contains(Int64($0))
    }
    guard !lost.isEmpty else { return }
    let places = lost.prefix(5).map(String.init).joined(separator: ", ")
    throw .exists("it revokes the places \(places), and this one does not")
  }
}

/// The reasons why an object was not published.
package enum PublicationError: Error, Equatable, Sendable {
  /// No registry is configured for writing.
  case notConfigured
  /// Another object has this id, as described.
  case exists(String)
  /// The registry refused the object, for the given reason.
  case refused(String)
  /// The registry did not take the request, for the given reason.
  case notAccepted(String)
  /// The registry gave no answer, for the given reason.
  case unreachable(String)
  /// The wallet does not have the key of this DID.
  case noKey(String)
  /// The ledger has no key of a transaction's author, who has this DID.
  case unknownAuthor(String)
  /// The transaction is not signed by its author, who has this DID.
  case forged(author: String)
}

extension PublicationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notConfigured: "no registry is configured for writing"
    case .exists(let difference): "another one is published under this id: \(difference)"
    case .refused(let reason): "refused: \(reason)"
    case .notAccepted(let reason): "the request was not accepted: \(reason)"
    case .unreachable(let reason): "no answer: \(reason)"
    case .noKey(let did): "the wallet does not have the key of \(did)"
    case .unknownAuthor(let author): "the ledger has no key of its author \(author)"
    case .forged(let author): "the signature is not that of its author \(author)"
    }
  }
}

/// The reason why an issuer's object was not published, with its id.
package struct PublicationFailure: Error, Equatable, Sendable {
  package let kind: Kind
  package let id: String
  package let error: PublicationError

  /// The kinds of published objects.
  package enum Kind: Equatable, Sendable {
    case object(ObjectKind)
    case statusList
    /// The tails file of a registry; the id is that of the credential definition.
    case tails
    /// A DID of this program.
    case did
    /// A transaction of the author of the given DID.
    case transaction
  }

  package init(_ kind: Kind, _ id: String, _ error: PublicationError) {
    self.kind = kind
    self.id = id
    self.error = error
  }
}

extension PublicationFailure: CustomStringConvertible {
  package var description: String {
    let name =
      switch kind {
      case .object(let kind): kind.rawValue
      case .statusList: "status list of revocation registry"
      case .tails: "tails file of credential definition"
      case .did: "DID"
      case .transaction: "transaction of"
      }
    return "\(name) \(id) is not published: \(error)"
  }
}

extension JSON {
  /// Whether two objects mean the same. The order of a schema's attributes has no meaning.
  func isSame(_ kind: ObjectKind, as other: JSON) -> Bool {
    guard kind == .schema else { return self == other }
    return self["name"] == other["name"] && self["version"] == other["version"]
      && self["issuerId"] == other["issuerId"] && attributeNames == other.attributeNames
  }

  func difference(_ kind: ObjectKind, from other: JSON) -> String {
    guard kind == .schema else { return "its content differs" }
    let (here, there) = (attributeNames.map(\.text).sorted(), other.attributeNames.map(\.text).sorted())
    return "it has the attributes \(here.joined(separator: ", ")), and not \(there.joined(separator: ", "))"
  }

  private var attributeNames: Set<ExactText> {
    Set((self["attrNames"]?.array ?? []).compactMap(\.string).map(ExactText.init))
  }
}
