package import AnonCreds
internal import JSON
internal import Threading
package import Wallet

/// Makes credential definitions and credentials, with the keys in the wallet.
///
/// Calls block: they wait for the engine and the wallet. Making keys takes seconds.
package struct CredentialIssuer: Sendable {
  let wallet: Wallet
  let engine: Engine
  /// The time in seconds since 1970.
  let now: @Sendable () -> Int64

  package init(wallet: Wallet, engine: Engine, now: @escaping @Sendable () -> Int64) {
    self.wallet = wallet
    self.engine = engine
    self.now = now
  }

  var definitions: DefinitionRecords { DefinitionRecords(wallet: wallet) }
  var contentIDs: ContentIDs { ContentIDs(wallet: wallet) }

  /// Threads that make the keys of one definition or change one registry wait for each other.
  static let locks = LockTable<String>()

  /// Threads that issue or end one exchange wait for each other: a program may restore a stored exchange twice.
  static let exchanges = LockTable<String>()

  // MARK: Definitions

  /// Makes a definition with new keys and stores it, or returns the wallet's definition.
  package func define(_ plan: DefinitionPlan) throws -> OwnDefinition {
    try Self.locks.withLock(of: JSON(plan.choices).text) {
      try wallet.retrying {
        let known = try knownID(of: plan)
        if let known, let definition = try definitions.find(known) { return definition }
        let unused = try known.map(definitions.unusedKey)
        let made = try engine.createDefinition(
          schemaID: plan.schemaID, schema: plan.schema.text, tag: plan.tag, issuer: plan.naming.issuer,
          isRevocable: plan.isRevocable)
        let id = try plan.id(of: made.definition)
        try wallet.make(
          [unused].compactMap(\.self) + definitions.storing(made, plan, id)
            + (plan.naming.isByContent ? contentIDs.noting(id, plan.choices, insteadOf: known) : []))
        return try definition(id)
      }
    }
  }

  /// The id of a plan's definition, as far as it is known: an Indy id follows from the plan; an id that is a hash of the
  /// definition is known once the definition was made.
  private func knownID(of plan: DefinitionPlan) throws -> String? {
    switch plan.naming {
    case .indy: try plan.id(of: "")
    case .content: try contentIDs.find(plan.choices)
    }
  }

  /// The definition with this id; nil if the wallet does not have it with its keys.
  package func ownDefinition(_ id: String) throws -> OwnDefinition? { try definitions.find(id) }

  /// The definition with this id. Throws `noKeys` if the wallet does not have it.
  package func definition(_ id: String) throws -> OwnDefinition {
    guard let definition = try definitions.find(id) else { throw IssuingError.noKeys("credential definition \(id)") }
    return definition
  }
}
