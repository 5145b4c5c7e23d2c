internal import Logging
internal import MSDK
internal import Threading

/// Keeps the objects of a table in the wallets of their agents.
struct Keeper<Object>: Sendable {
  /// Brings the wallet's record of the object up to date. Returns the id of the record if it was written: not if it was up
  /// to date, the agent keeps no objects, or no session of the agent runs.
  let keep: @Sendable (inout Object, Agent) throws(VCXError) -> String?
  /// The id of the object's record; nil if it has none so far.
  let id: @Sendable (Object) -> String?
  /// Gives a copy of an object that is open a record of its own, if it needs one.
  let separate: @Sendable (inout Object) -> Void
}

extension Keeper where Object: KeptObject {
  init() {
    keep = { (object, agent) throws(VCXError) in
      guard object.keeping.isWanted, let session = try? agent.running(), session.settings.keepsObjects else {
        return nil
      }
      do { try object.keep(with: session) } catch { throw VCXError(error) }
      return object.keeping.id
    }
    id = { $0.keeping.id }
    separate = { $0.separate() }
  }
}

/// Opens the object of a record of the current agent's wallet.
func openKept(_ found: KeptObjects.Found) throws(VCXError) -> UInt32 {
  switch found.kind {
  case .connection: try connections.open(found)
  case .credential: try credentials.open(found)
  case .disclosedProof: try proofs.open(found)
  case .issuerCredential: try issuerCredentials.open(found)
  case .proof: try requestedProofs.open(found)
  case .schema: try schemas.open(found)
  case .credentialDefinition: try definitions.open(found)
  }
}

/// Deletes a record of the session's wallet, and the handles of its object.
func deleteKept(_ found: KeptObjects.Found, with session: Session) throws {
  switch found.kind {
  case .connection: try connections.delete(found, with: session)
  case .credential: try credentials.delete(found, with: session)
  case .disclosedProof: try proofs.delete(found, with: session)
  case .issuerCredential: try issuerCredentials.delete(found, with: session)
  case .proof: try requestedProofs.delete(found, with: session)
  case .schema: try schemas.delete(found, with: session)
  case .credentialDefinition: try definitions.delete(found, with: session)
  }
}

extension HandleTable where Object: KeptObject {
  func open(_ found: KeptObjects.Found) throws(VCXError) -> UInt32 {
    try open(found.id) { () throws(VCXError) in
      do { return try Object(kept: found) } catch { throw VCXError(error) }
    }
  }

  /// A running operation on the object may write the record once more. The lane then deletes the record again.
  fileprivate func delete(_ found: KeptObjects.Found, with session: Session) throws {
    let agent = session.agent
    for lane in removeAll(keptAs: found.id, of: agent) {
      lane.post(on: agent.threads.local) { object in
        do { try object.forget(with: session) } catch {
          Log.warning("\(found.kind.rawValue) \(found.id) could not be deleted: \(error)")
        }
        return {}
      }
    }
    try session.keptObjects.remove(found.id)
  }
}
