internal import Logging
internal import MSDK
internal import Platform
internal import Threading

/// The milliseconds within which a message is applied and answered: a silent server delays the messages behind it for no longer.
private let applyingLimit = 20_000

/// Applies a message that a subscription tells of to the kept object that it belongs to, if the configuration asks for it.
/// Then calls `tell` with the text for the subscriber, at once or on a thread of the agent.
func apply(_ message: String, for agent: Agent, then tell: @escaping @Sendable (String) -> Void) {
  guard let session = try? agent.running(), session.settings.appliesMessages else { return tell(message) }
  let message = AnnouncedMessage(message)
  do { apply(message, toFirstOf: try message.recipients(in: session)[...], with: session, tell) } catch {
    Log.warning("a message could not be applied: \(error)")
    tell(message.text)
  }
}

/// Applies the message to the first of these objects that it concerns. It is the program's own if it concerns none.
func apply(
  _ message: AnnouncedMessage, toFirstOf objects: ArraySlice<KeptObjects.Found>, with session: Session,
  _ tell: @escaping @Sendable (String) -> Void
) {
  guard let found = objects.first else { return tell(message.text) }
  let others = { @Sendable in
    CurrentAgent.serving(session.agent) { apply(message, toFirstOf: objects.dropFirst(), with: session, tell) }
  }
  do {
    switch found.kind {
    case .connection: try connections.apply(message, to: found, with: session, tell, orElse: others)
    case .credential: try credentials.apply(message, to: found, with: session, tell, orElse: others)
    case .disclosedProof: try proofs.apply(message, to: found, with: session, tell, orElse: others)
    case .issuerCredential: try issuerCredentials.apply(message, to: found, with: session, tell, orElse: others)
    case .proof: try requestedProofs.apply(message, to: found, with: session, tell, orElse: others)
    case .schema, .credentialDefinition: others()
    }
  } catch {
    Log.warning("a message could not be applied: \(error)")
    tell(message.text)
  }
}

extension HandleTable where Object: MessageDriven {
  /// Advances the object in its lane, after a step that may be about to give the object its connection. Calls `others` if the
  /// message does not concern the object. A handle of the library keeps the object open meanwhile, so that the program opens
  /// the same one.
  fileprivate func apply(
    _ message: AnnouncedMessage, to found: KeptObjects.Found, with session: Session,
    _ tell: @escaping @Sendable (String) -> Void, orElse others: @escaping @Sendable () -> Void
  ) throws {
    let agent = session.agent
    let handle: UInt32
    do { handle = try open(found.id) { () throws(VCXError) in try restored(found.id, with: session) } } catch {
      // The program has deleted the object since it was found.
      guard error.code == .walletRecordNotFound else { throw error }
      return others()
    }
    guard let lane = self[handle]?.lane else { return tell(message.text) }
    lane.post(on: agent.threads.network) { [self] object in
      let text = message.concerns(object) ? advance(&object, handle, by: message, with: session) : nil
      return {
        self.remove(handle)
        if let text { tell(text) } else { others() }
      }
    }
  }

  /// The object as its record is now: the program may have changed it since it was found.
  private func restored(_ id: String, with session: Session) throws(VCXError) -> Object {
    do { return try Object(kept: session.keptObjects.find(id)) } catch { throw VCXError(error) }
  }

  /// Returns the text for the subscriber. After a failure the object and the message stay as they are, and the program may
  /// try again.
  private func advance(
    _ object: inout Object, _ handle: UInt32, by message: AnnouncedMessage, with session: Session
  ) -> String {
    do {
      try Deadline.serving(.now.after(milliseconds: applyingLimit)) {
        try CurrentAgent.serving(session.agent) { try object.apply(message, with: session) }
      }
    } catch {
      Log.warning("\(name(of: handle)): \(error)")
    }
    do { try keep(&object, of: handle, for: session.agent) } catch {
      Log.warning("\(name(of: handle)) is not kept in the wallet: \(error)")
    }
    return message.text(appliedTo: object, with: session)
  }
}
