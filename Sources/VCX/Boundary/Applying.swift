internal import Logging
internal import MSDK
internal import Threading

/// Applies a message that a subscription tells of to the kept object that it belongs to, if the configuration asks for it.
/// Then calls `tell` with the text for the subscriber, at once or on a thread of the agent.
func apply(_ message: String, for agent: Agent, then tell: @escaping @Sendable (String) -> Void) {
  guard let session = try? agent.running(), session.settings.appliesMessages else { return tell(message) }
  let message = AnnouncedMessage(message)
  do {
    guard let found = try message.recipient(in: session) else { return tell(message.text) }
    switch found.kind {
    case .connection: try connections.apply(message, to: found, with: session, tell)
    case .credential: try credentials.apply(message, to: found, with: session, tell)
    case .disclosedProof: try proofs.apply(message, to: found, with: session, tell)
    case .issuerCredential: try issuerCredentials.apply(message, to: found, with: session, tell)
    case .proof: try requestedProofs.apply(message, to: found, with: session, tell)
    case .schema, .credentialDefinition: tell(message.text)
    }
  } catch {
    Log.warning("a message could not be applied: \(error)")
    tell(message.text)
  }
}

extension HandleTable where Object: MessageDriven {
  /// Advances the object in its lane. A handle of the library keeps the object open meanwhile, so that the program opens the
  /// same one.
  fileprivate func apply(
    _ message: AnnouncedMessage, to found: KeptObjects.Found, with session: Session,
    _ tell: @escaping @Sendable (String) -> Void
  ) throws {
    let agent = session.agent
    let handle = try open(found)
    guard let lane = self[handle]?.lane else { return tell(message.text) }
    lane.post(on: agent.threads.network) { [self] object in
      let text = advance(&object, handle, by: message, with: session)
      return {
        self.remove(handle)
        tell(text)
      }
    }
  }

  /// Returns the text for the subscriber. After a failure the object and the message stay as they are, and the program may
  /// try again.
  private func advance(
    _ object: inout Object, _ handle: UInt32, by message: AnnouncedMessage, with session: Session
  ) -> String {
    guard message.concerns(object) else { return message.text }
    do { try CurrentAgent.serving(session.agent) { try object.update(with: session) } } catch {
      Log.warning("\(name(of: handle)): \(error)")
    }
    do { try keep(&object, of: handle, for: session.agent) } catch {
      Log.warning("\(name(of: handle)) is not kept in the wallet: \(error)")
    }
    return message.text(applyingTo: object)
  }
}
