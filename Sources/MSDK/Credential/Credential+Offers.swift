internal import Aries
internal import JSON

extension Credential {
  /// The offers that wait in the mailbox of a connection, as a JSON array of messages; in version 3.0 of the API each
  /// offer is an array with one element in the older form. They keep their status.
  package static func offers(of connection: Connection, with session: Session) throws -> String {
    let offers = try session.pendingMessages(of: connection, where: isOffer)
    guard session.settings.isVersion3 else { return JSON.array(offers).text }
    return JSON.array(offers.compactMap { try? [OlderOffer.json(of: $0)] }).text
  }

  /// The credential in an offer from the connection's mailbox, and the text of the offer.
  package static func offered(
    by uid: String, over connection: Connection, sourceID: String, with session: Session
  ) throws -> (credential: Credential, offer: String) {
    let message = try session.message(uid, of: connection, where: isOffer)
    let offer = try session.settings.isVersion3 ? JSON.array([OlderOffer.json(of: message)]).text : message.text
    return (try Credential(sourceID: sourceID, offer: offer), offer)
  }

  private static func isOffer(_ message: Message) -> Bool {
    if case .issueCredential(let message) = message { message.step == .offer } else { false }
  }
}
