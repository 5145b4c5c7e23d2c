internal import Aries
internal import DIDComm
internal import JSON
internal import Sodium

extension Connection {
  /// Sends a trust ping that asks for an answer; the answer comes by the mailbox.
  package func sendPing(comment: String?, with agent: Agent) throws {
    guard let peer else { throw ConnectionError.notReady }
    let ping = TrustPing(id: .randomUUID(), comment: comment, responseRequested: true)
    try send(ping.json, to: peer.service, with: agent)
  }

  /// Sends a message: JSON as it stands, other text as a basic message. Once the request is out the invitation's
  /// endpoint takes messages; before that there is no key to send from.
  package func send(_ text: String, with agent: Agent) throws {
    let service: Service
    switch machine.state {
    case .requested(_, let invitation): service = invitation.service
    case .completed(let peer, _, _): service = peer.service
    case .invited, .failed: throw ConnectionError.notReady
    }
    let json = (try? JSON(parsing: text)).flatMap { $0.object.map(JSON.object) }
    try send(json ?? BasicMessage(id: .randomUUID(), content: text).json, to: service, with: agent)
  }

  private func send(_ message: JSON, to service: Service, with agent: Agent) throws {
    guard let key = pairwise?.key else { throw ConnectionError.noPairwiseAgent }
    try agent.send(message, from: key, to: service)
  }
}
