package import AgencyWire
package import DIDComm
package import HTTP
internal import JSON
internal import Logging
internal import Sodium

/// Packs requests to an agency, posts them, and opens the answers.
///
/// If the agency refuses a request with 429, the channel repeats it as long as the client's time allows.
package struct AgencyChannel: Sendable {
  package let endpoint: String
  package let agency: Party
  private let keys: any KeyRing
  private let http: HTTPClient

  /// `endpoint` is the agency's base URL, with or without a slash at its end.
  package init(endpoint: String, agency: Party, keys: any KeyRing, http: HTTPClient) {
    self.endpoint = endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint
    self.agency = agency
    self.keys = keys
    self.http = http
  }

  /// The size limit of most answers.
  package static let usualAnswer = 4 << 20

  /// The URL that receives envelopes, also from peers.
  package var messageURL: String { endpoint + "/agency/msg" }

  /// Sends `message` from `sender` to `addressee`, an agent of the agency or the agency itself, and returns the answer
  /// of the expected kind. `relay` is the agent that forwards a pairwise request, with the key of its owner.
  package func request<Answer: AgencyMessage>(
    _ message: some AgencyMessage, from sender: VerKey, to addressee: Party,
    through relay: (agent: Party, owner: VerKey)? = nil, maximumAnswer: Int = AgencyChannel.usualAnswer
  ) throws -> Answer {
    try answer(to: pack(message, from: sender, to: addressee, through: relay), maximumAnswer: maximumAnswer)
  }

  /// A packed request, which can be sent several times.
  package struct PackedRequest: Sendable {
    fileprivate let message: any AgencyMessage
    fileprivate let sender: VerKey
    fileprivate let addressee: Party
    fileprivate let envelope: Wrapping
  }

  /// Packs a request as `request` does.
  package func pack(
    _ message: some AgencyMessage, from sender: VerKey, to addressee: Party,
    through relay: (agent: Party, owner: VerKey)? = nil
  ) throws -> PackedRequest {
    try PackedRequest(
      message: message, sender: sender, addressee: addressee,
      envelope: wrap(message, from: sender, to: addressee, through: relay))
  }

  /// Sends a packed request and returns the answer of the expected kind. `cancellation` ends a request that the agency holds.
  package func answer<Answer: AgencyMessage>(
    to request: PackedRequest, maximumAnswer: Int = AgencyChannel.usualAnswer, endedBy cancellation: Cancellation? = nil
  ) throws -> Answer {
    let body = try post(request.envelope, maximumAnswer, cancellation)
    let opened: Opened
    do { opened = try Envelope(parsing: body).open(with: keys) } catch let error as EnvelopeError {
      throw CloudAgentError.invalidAnswer("\(error)")
    }
    let members = try Self.members(of: opened)
    let addressee = request.addressee.verkey
    if opened.sender == addressee { try Self.refuseProblem(members) }
    let answer: Answer = try Self.read(members)
    guard opened.sender == addressee || Self.isFromNewAgent(answer, opened, sentFor: request.message) else {
      throw CloudAgentError.invalidAnswer("it is not from the agent that was asked")
    }
    Log.debug("\(type(of: request.message).name) of \(request.sender.did) is answered with \(Answer.name)")
    return answer
  }

  /// Sends a message whose answer comes later, among the owner's own messages. Ignores the body of the response.
  package func send(
    _ message: some AgencyMessage, from sender: VerKey, to addressee: Party,
    through relay: (agent: Party, owner: VerKey)
  ) throws {
    _ = try post(wrap(message, from: sender, to: addressee, through: relay), Self.usualAnswer)
    Log.debug("\(type(of: message).name) of \(sender.did) is sent")
  }

  private func wrap(
    _ message: some AgencyMessage, from sender: VerKey, to addressee: Party,
    through relay: (agent: Party, owner: VerKey)?
  ) throws -> Wrapping {
    let json = message.json(type: type(of: message).type)
    var wrapping = try Wrapping(json, from: pair(sender), to: addressee)
    if let relay { wrapping = try wrapping.carried(by: relay.agent, from: pair(relay.owner)) }
    return try wrapping.carried(by: agency)
  }

  /// Asks the agency for its identity. Throws if the agency has another key than the configured one.
  @discardableResult
  package func checkIdentity() throws(CloudAgentError) -> AgencyIdentity {
    let identity = try AgencyIdentity(at: endpoint, over: http)
    guard (try? VerKey(identity.verkey)) == agency.verkey else { throw .invalidAnswer("it is another agency") }
    return identity
  }

  private static let contentType = "application/ssi-agent-wire"

  /// Returns the body of the response.
  private func post(
    _ wrapping: Wrapping, _ maximumAnswer: Int, _ cancellation: Cancellation? = nil
  ) throws -> [UInt8] {
    let response: HTTPClient.Response
    do {
      if let cancellation {
        response = try http.post(
          wrapping.bytes, to: messageURL, contentType: Self.contentType, endedBy: cancellation)
      } else {
        response = try http.post(
          wrapping.bytes, to: messageURL, contentType: Self.contentType, maximumBody: maximumAnswer, repeating: true)
      }
    } catch {
      throw CloudAgentError.unreachable(error)
    }
    guard response.isSuccess else {
      throw CloudAgentError.refused(status: response.status, Refusal(body: response.body))
    }
    return response.body
  }

  /// The size limit for the text of a problem in an error.
  private static let maximumProblem = 256

  private static func members(of opened: Opened) throws(CloudAgentError) -> JSONObject {
    do { return try JSON(parsing: opened.message).requireObject() } catch { throw .invalidAnswer("\(error)") }
  }

  private static func refuseProblem(_ answer: JSONObject) throws(CloudAgentError) {
    guard answer["@type"]?.string?.hasSuffix("/" + ProvisioningProblem.name) == true else { return }
    let text = (try? ProvisioningProblem(answer))?.text ?? ""
    throw .declined(String(text.prefix(maximumProblem)))
  }

  private static func read<Answer: AgencyMessage>(_ answer: JSONObject) throws(CloudAgentError) -> Answer {
    do {
      let type = try answer.string("@type")
      guard type.hasSuffix("/" + Answer.name) else { throw CloudAgentError.invalidAnswer("it is no \(Answer.name)") }
      return try Answer(answer)
    } catch let error as CloudAgentError {
      throw error
    } catch {
      throw .invalidAnswer("\(error)")
    }
  }

  /// Verity answers CREATE_KEY from the key that the answer names, to the pairwise key of the request.
  private static func isFromNewAgent(_ answer: Any, _ opened: Opened, sentFor request: Any) -> Bool {
    guard let created = answer as? KeyCreated, let request = request as? CreateKey else { return false }
    return opened.sender == created.agent.verkey && opened.recipient.text == request.forDIDVerKey
  }

  private func pair(_ key: VerKey) throws -> KeyPair {
    guard let pair = try keys.keyPair(for: key) else { throw CloudAgentError.missingKey(key) }
    return pair
  }
}
