internal import Aries
internal import CloudAgent

extension Connection: KeptObject {
  package static let keptKind = KeptKind.connection

  package var keptFacts: KeptFacts {
    var facts = KeptFacts(sourceID: sourceID, state: state.number)
    facts.thread = try? threadID()
    facts.pairwiseDID = pairwise?.key.did.text
    facts.theirDID = peer?.did
    facts.isFinished = isOver
    facts.isTemplate = pairwise == nil
    return facts
  }

  package func serialized(with session: Session) -> String {
    serialized(institutionDID: session.settings.institutionDID)
  }
}

extension Exchange {
  package func serialized(with _: Session) -> String { serialized() }

  /// The number of the state of an exchange that this side begins, before it has sent anything.
  private static var notBegun: UInt32 { 1 }

  /// The facts that all exchanges have.
  fileprivate func facts(thread: String?) -> KeptFacts {
    var facts = KeptFacts(sourceID: sourceID, state: state)
    facts.thread = thread
    facts.isFinished = machine.isFinished
    facts.isDisposable = machine.isFinished
    facts.isTemplate = state == Self.notBegun
    if case .connection(let connection)? = route {
      facts.pairwiseDID = connection.own.key.did.text
      // Without a handshake, the answer of anybody may have named the peer.
      facts.theirDID = connection.isInvitation || connection.isConnectionless ? nil : connection.peer.did
    }
    return facts
  }
}

extension Credential {
  package static let keptKind = KeptKind.credential

  package var keptFacts: KeptFacts { facts(thread: thread) }
}

extension DisclosedProof {
  package static let keptKind = KeptKind.disclosedProof

  package var keptFacts: KeptFacts { facts(thread: threadID) }
}

extension IssuerCredential {
  package static let keptKind = KeptKind.issuerCredential

  package var keptFacts: KeptFacts {
    var facts = facts(thread: thread)
    // Revoking needs the record.
    facts.isDisposable = facts.isDisposable && !mayBeRevoked
    return facts
  }
}

extension RequestedProof {
  package static let keptKind = KeptKind.proof

  package var keptFacts: KeptFacts { facts(thread: machine.threadID) }
}

extension Schema: KeptObject {
  package static let keptKind = KeptKind.schema

  package var keptFacts: KeptFacts { KeptFacts(sourceID: sourceID, state: state) }

  package func serialized(with _: Session) -> String { serialized() }
}

extension CredentialDefinition: KeptObject {
  package static let keptKind = KeptKind.credentialDefinition

  package var keptFacts: KeptFacts { KeptFacts(sourceID: sourceID, state: state) }

  package func serialized(with _: Session) -> String { serialized() }
}
