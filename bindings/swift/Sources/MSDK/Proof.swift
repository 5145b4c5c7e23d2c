public import CMSDKCalls
internal import CMSDK

/// A proof, from its request on. The library's object is released with the last reference.
public final class Proof: Sendable {
  public enum State: UInt32, Sendable {
    case failed = 0
    /// A proposal that is not sent.
    case proposed = 1
    case sent = 2
    case requested = 3
    case accepted = 4
    case declined = 9
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_disclosed_proof_release(handle) }

  /// Takes up a request: the text of a message of the kind `presentation-request`. Make sure that the peer sent it, as
  /// ``Connection/next(_:every:)`` does: the library does not know from where the text came.
  public static func requested(_ request: String, name: String) async throws(MSDKError) -> Proof {
    Proof(try await Call.number { vcx_disclosed_proof_create_with_request($0, name, request, $1) })
  }

  /// A proof that this side proposes: `preview` is JSON text with `attributes` and `predicates`. ``propose(over:)`` sends it.
  public static func proposing(
    _ preview: String, name: String, comment: String, in form: ExchangeForm = ExchangeForm()
  ) async throws(MSDKError) -> Proof {
    let options = form.text
    return Proof(
      try await Call.number {
        msdk_disclosed_proof_create_proposal_with_options($0, name, preview, comment, options, $1)
      })
  }

  /// Sends the proposal.
  public func propose(over connection: Connection) async throws(MSDKError) {
    try await Call.done { vcx_disclosed_proof_send_proposal($0, handle, connection.handle, $1) }
  }

  /// Restores a proof from the text of ``serialized()``.
  public static func restore(_ text: String) async throws(MSDKError) -> Proof {
    Proof(try await Call.number { vcx_disclosed_proof_deserialize($0, text, $1) })
  }

  /// The items of the request, with the stored credentials that fit each.
  public func credentials() async throws(MSDKError) -> Found {
    try JSONText.read(
      Found.self, await Call.text { vcx_disclosed_proof_retrieve_credentials($0, handle, $1) })
  }

  /// The id of the exchange's thread.
  public var threadID: String {
    get async throws(MSDKError) { try await Call.text { msdk_disclosed_proof_get_thread_id($0, handle, $1) } ?? "" }
  }

  /// The request with the verifier's words, its items, and the stored credentials that fit each, in one call.
  public func request() async throws(MSDKError) -> ReceivedRequest {
    try JSONText.read(
      ReceivedRequest.self, await Call.text { msdk_disclosed_proof_describe_request($0, handle, $1) })
  }

  /// Makes the proof of the user's choice.
  public func generate(_ selection: Selection) async throws(MSDKError) {
    let (chosen, stated) = (JSONText.of(["attrs": selection.choices]), JSONText.of(selection.stated))
    try await Call.done { vcx_disclosed_proof_generate_proof($0, handle, chosen, stated, $1) }
  }

  /// Sends the proof. Without a connection, it goes to the address of the invitation that brought the request.
  public func send(over connection: Connection?) async throws(MSDKError) {
    try await Call.done { vcx_disclosed_proof_send_proof($0, handle, connection?.handle ?? 0, $1) }
  }

  /// Refuses the request.
  public func decline(over connection: Connection?, reason: String) async throws(MSDKError) {
    try await Call.done {
      vcx_disclosed_proof_decline_presentation_request($0, handle, connection?.handle ?? 0, reason, nil, $1)
    }
  }

  /// Looks into the mailbox once.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_disclosed_proof_update_state($0, handle, $1) }) ?? .failed
  }

  /// Waits for the verifier's word. Returns the state in which the exchange ended. Throws `CancellationError` if the task is
  /// cancelled: a verifier does not have to answer.
  public func accepted(every pause: Duration = .milliseconds(300)) async throws -> State {
    try await reach([.accepted, .failed, .declined], every: pause) { try await update() }
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_disclosed_proof_serialize($0, handle, $1) } ?? ""
  }
}

/// All that a screen shows of a request.
public struct ReceivedRequest: Sendable, Decodable {
  public let threadID, name, version: String
  /// The verifier's words.
  public let display: Display
  public let items: Found

  private enum Key: String, CodingKey {
    case name, version, display
    case threadID = "thid"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    threadID = try members.decode(String.self, forKey: .threadID)
    name = try members.decode(String.self, forKey: .name)
    version = try members.decode(String.self, forKey: .version)
    display = try members.decode(Display.self, forKey: .display)
    items = try Found(from: decoder)
  }
}

/// The items of a request by their referents, the names that the verifier gave them.
public struct Found: Sendable, Decodable {
  public let attributes, predicates: [String: Item]

  /// An item, and the stored credentials that fit it.
  public struct Item: Sendable, Decodable {
    public let credentials: [Candidate]
    /// Whether no credential fits, and the user must not state the value.
    public let missing: Bool
    /// The name of the value that is asked for; nil if there are several.
    public let name: String?
    /// The names of the values of one credential that are asked for.
    public let names: [String]?
  }

  /// A stored credential that fits an item.
  public struct Candidate: Sendable, Decodable {
    public let referent, credDefID: String
    /// All values of the credential.
    public let values: [String: String]
    /// The wallet's knowledge; ``Credential/isRevoked`` asks the registry.
    public let isRevoked: Bool
    private let isAskedForRevocation: Bool

    /// Whether the verifier would accept it, as far as the wallet knows.
    public var canBeUsed: Bool { !isRevoked || !isAskedForRevocation }
  }

  /// Chooses for each item the first credential that fits, and one that is not revoked before one that is. `stated` has the
  /// values that the user states without a credential, by referent. Returns nil if an item has neither.
  public func first(stating stated: [String: String] = [:]) -> Selection? {
    var choices: [String: Selection.Choice] = [:]
    for (referent, item) in attributes.merging(predicates, uniquingKeysWith: { one, _ in one })
    where stated[referent] == nil {
      let usable = item.credentials.filter(\.canBeUsed)
      guard let chosen = usable.first(where: { !$0.isRevoked }) ?? usable.first else { return nil }
      choices[referent] = Selection.Choice(chosen)
    }
    return Selection(choices: choices, stated: stated)
  }
}

/// The user's choice: a credential for each item, and the values that need none. Both are by the item's referent.
public struct Selection: Sendable {
  public var choices: [String: Choice]
  public var stated: [String: String]

  public init(choices: [String: Choice], stated: [String: String] = [:]) {
    (self.choices, self.stated) = (choices, stated)
  }

  /// The credential for an item.
  public struct Choice: Sendable, Encodable {
    public var referent: String
    /// Without it the proof says only that there is a value.
    public var isRevealed: Bool
    /// Presents the credential even if it is revoked: without the proof that it is not, so that the verifier decides.
    public var presentsRevoked: Bool

    public init(_ candidate: Found.Candidate, isRevealed: Bool = true, presentsRevoked: Bool = false) {
      (referent, self.isRevealed, self.presentsRevoked) = (candidate.referent, isRevealed, presentsRevoked)
    }

    private enum Key: String, CodingKey {
      case credential, revealed
      case info = "cred_info"
      case presentRevoked = "present_revoked"
      case referent
    }

    public func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: Key.self)
      var credential = members.nestedContainer(keyedBy: Key.self, forKey: .credential)
      var info = credential.nestedContainer(keyedBy: Key.self, forKey: .info)
      try info.encode(referent, forKey: .referent)
      if !isRevealed { try members.encode(false, forKey: .revealed) }
      if presentsRevoked { try members.encode(true, forKey: .presentRevoked) }
    }
  }
}

extension Found.Candidate {
  private enum Key: String, CodingKey {
    case info = "cred_info"
    case interval, revoked, referent
    case values = "attrs"
    case credDefID = "cred_def_id"
  }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let info = try members.nestedContainer(keyedBy: Key.self, forKey: .info)
    referent = try info.decode(String.self, forKey: .referent)
    credDefID = try info.decode(String.self, forKey: .credDefID)
    values = try info.decode([String: String].self, forKey: .values)
    isRevoked = try members.decodeIfPresent(Bool.self, forKey: .revoked) ?? false
    isAskedForRevocation = try members.contains(.interval) && !members.decodeNil(forKey: .interval)
  }
}
