package import JSON

/// A source of public objects of AnonCreds: schemas, credential definitions, revocation registries.
///
/// Objects have the form of the AnonCreds specification. An answer may be wrong: `Registries` checks it. Calls block.
package protocol Registry: Sendable {
  /// The names of the Indy network that the registry asks, in ids of `did:indy`; empty for other registries.
  var networks: [String] { get }

  /// Whether anybody can choose the objects that the registry answers with, by choosing their ids.
  var isOpenToAll: Bool { get }

  /// Whether the registry could have an object with this id.
  func supports(_ id: String) -> Bool

  func schema(_ id: String) throws(RegistryError) -> JSON

  /// The credential definition. Its `schemaId` may be the number of the schema in a ledger.
  func definition(_ id: String) throws(RegistryError) -> JSON

  /// The definition of a revocation registry.
  func revocationRegistry(_ id: String) throws(RegistryError) -> JSON

  /// The status list of the revocation registry with this id that was in force at `time`, in seconds since 1970. The
  /// list's own timestamp is the beginning of its time in force.
  func statusList(_ id: String, at time: Int64) throws(RegistryError) -> JSON

  /// The status list of the revocation registry with this id that was published last, even if its time is ahead of this
  /// machine's clock.
  func newestStatusList(_ id: String) throws(RegistryError) -> JSON

  /// The status list that was read last of the revocation registry with this id has decided about a credential. Later
  /// processes must not accept an older state.
  func keepListTime(of id: String)
}

extension Registry {
  package var networks: [String] { [] }
  package var isOpenToAll: Bool { false }

  package func keepListTime(of id: String) {}

  package func newestStatusList(_ id: String) throws(RegistryError) -> JSON { try statusList(id, at: .max) }
}

/// The kinds of public objects that never change.
package enum ObjectKind: String, Hashable, Sendable {
  case schema
  case definition = "credential definition"
  case revocationRegistry = "revocation registry"
}

/// The reasons why a registry gives no object.
package enum RegistryError: Error, Equatable, Sendable {
  /// No configured registry could have the object.
  case notConfigured
  case notFound
  /// The registry gave no answer, for the given reason.
  case unreachable(String)
  /// The answer is not the requested object, for the given reason.
  case invalid(String)
}

extension RegistryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notConfigured: "no registry is configured that could have it"
    case .notFound: "it is not there"
    case .unreachable(let reason): "no answer: \(reason)"
    case .invalid(let reason): "the answer is wrong: \(reason)"
    }
  }
}

/// The reason why a public object is unavailable, with its id.
package struct RegistryFailure: Error, Equatable, Sendable {
  package let kind: ObjectKind
  package let id: String
  package let error: RegistryError

  package init(_ kind: ObjectKind, _ id: String, _ error: RegistryError) {
    self.kind = kind
    self.id = id
    self.error = error
  }
}

extension RegistryFailure: CustomStringConvertible {
  package var description: String { "\(kind.rawValue) \(id): \(error)" }
}
