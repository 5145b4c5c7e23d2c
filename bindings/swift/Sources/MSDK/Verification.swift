public import CMSDKCalls
internal import CMSDK

/// A value that a verifier asks for, or several of one credential.
///
/// Without restrictions, a credential of any issuer is good, and for a single value also the prover's own word.
public struct Wanted: Sendable, Encodable {
  /// Filters of which one has to hold, such as `["cred_def_id": id]`.
  public typealias Restrictions = [[String: String]]

  /// A time, in seconds since 1970, in which a credential must not be revoked.
  public struct Interval: Sendable, Encodable {
    public var from, to: Int?

    public init(from: Int? = nil, to: Int? = nil) { (self.from, self.to) = (from, to) }
  }

  private let name: String?
  private let names: [String]?
  private let restrictions: Restrictions?
  private let mayBeSelfAttested: Bool?
  private let nonRevoked: Interval?

  /// One value.
  public init(
    _ name: String, restrictions: Restrictions? = nil, mayBeSelfAttested: Bool? = nil, nonRevoked: Interval? = nil
  ) {
    (self.name, names, self.restrictions) = (name, nil, restrictions)
    (self.mayBeSelfAttested, self.nonRevoked) = (mayBeSelfAttested, nonRevoked)
  }

  /// Several values of one credential.
  public init(_ names: [String], restrictions: Restrictions? = nil, nonRevoked: Interval? = nil) {
    (name, self.names, self.restrictions) = (nil, names, restrictions)
    (mayBeSelfAttested, self.nonRevoked) = (nil, nonRevoked)
  }

  private enum CodingKeys: String, CodingKey {
    case name, names, restrictions
    case mayBeSelfAttested = "self_attest_allowed"
    case nonRevoked = "non_revoked"
  }
}

/// A condition that a verifier asks for: a value compared with a number.
public struct WantedPredicate: Sendable, Encodable {
  public enum Comparison: String, Sendable, Codable {
    case atLeast = ">="
    case moreThan = ">"
    case atMost = "<="
    case lessThan = "<"
  }

  private let name: String
  private let comparison: Comparison
  private let bound: Int32
  private let restrictions: Wanted.Restrictions?

  public init(_ name: String, _ comparison: Comparison, _ bound: Int32, restrictions: Wanted.Restrictions? = nil) {
    (self.name, self.comparison, self.bound, self.restrictions) = (name, comparison, bound, restrictions)
  }

  private enum CodingKeys: String, CodingKey {
    case name, restrictions
    case comparison = "p_type"
    case bound = "p_value"
  }
}

/// The result of a proof.
public struct Verdict: Sendable, Decodable {
  /// A reason or a warning. `code` is for programs, `text` for developers; `referent` names the item that it is about, and
  /// `check` the check of the proof that failed, such as `B1`.
  public struct Remark: Sendable, Decodable {
    public let code, text: String
    public let referent: String?
    public let check: String?
  }

  /// Nil before a presentation was judged.
  public let verified: Bool?
  /// Why the presentation is not verified.
  public let reasons: [Remark]
  /// Gaps that the request permits.
  public let warnings: [Remark]
}

/// The content of a verified presentation: the answers to the items of the request, by their referents.
public struct ProofContent: Sendable, Decodable {
  /// The credential that proves an item, by the ids of its public objects.
  public struct Credential: Sendable, Decodable {
    public let schemaID, definitionID: String
    /// Nil without a proof that the credential was not revoked.
    public let registryID: String?
    /// The time, in seconds since 1970, for which the proof shows that the credential was not revoked.
    public let timestamp: Int?

    private enum CodingKeys: String, CodingKey {
      case timestamp
      case schemaID = "schema_id"
      case definitionID = "cred_def_id"
      case registryID = "rev_reg_id"
    }
  }

  /// Values by name.
  public struct Revealed: Sendable, Decodable {
    public let values: [String: String]
    public let credential: Credential
  }

  /// The prover's own words, by name.
  public struct SelfAttested: Sendable, Decodable {
    public let values: [String: String]
  }

  /// Values that the prover withheld.
  public struct Unrevealed: Sendable, Decodable {
    public let names: [String]
    public let credential: Credential
  }

  /// A condition that is proved.
  public struct Predicate: Sendable, Decodable {
    public let name: String
    public let comparison: WantedPredicate.Comparison
    public let bound: Int32
    public let credential: Credential

    private enum CodingKeys: String, CodingKey {
      case name, credential
      case comparison = "p_type"
      case bound = "p_value"
    }
  }

  public let revealed: [String: Revealed]
  public let selfAttested: [String: SelfAttested]
  public let unrevealed: [String: Unrevealed]
  public let predicates: [String: Predicate]

  private enum CodingKeys: String, CodingKey {
    case revealed, unrevealed, predicates
    case selfAttested = "self_attested"
  }
}

/// A proof that this side requests and verifies. Its items have the names of dictionaries, and else `attribute_0` …,
/// `predicate_0` …
public final class ProofRequest: Sendable {
  public enum State: UInt32, Sendable {
    case notVerified = 0
    case created = 1
    case sent = 2
    /// The prover proposes another presentation.
    case proposed = 3
    case verified = 4
    case declined = 9
  }

  /// The number of the object for functions of `CMSDK`.
  public let handle: UInt32

  public init(_ handle: UInt32) { self.handle = handle }

  deinit { _ = vcx_proof_release(handle) }

  /// A request. `name` is for the prover's user.
  public static func create(
    name: String, attributes: [Wanted] = [], predicates: [WantedPredicate] = [], nonRevoked: Wanted.Interval? = nil,
    in form: ExchangeForm = ExchangeForm()
  ) async throws(MSDKError) -> ProofRequest {
    try await create(name, JSONText.of(attributes), JSONText.of(predicates), nonRevoked, form)
  }

  /// A request whose items have names, which its results have too. An attribute and a predicate may not have one name.
  public static func create(
    name: String, named attributes: [String: Wanted], predicates: [String: WantedPredicate] = [:],
    nonRevoked: Wanted.Interval? = nil, in form: ExchangeForm = ExchangeForm()
  ) async throws(MSDKError) -> ProofRequest {
    try await create(name, JSONText.of(attributes), JSONText.of(predicates), nonRevoked, form)
  }

  private static func create(
    _ name: String, _ attributes: String, _ predicates: String, _ nonRevoked: Wanted.Interval?, _ form: ExchangeForm
  ) async throws(MSDKError) -> ProofRequest {
    let (interval, options) = (nonRevoked.map { JSONText.of($0) } ?? "{}", form.text)
    return ProofRequest(
      try await Call.number {
        msdk_proof_create_with_options($0, name, attributes, predicates, interval, name, options, $1)
      })
  }

  /// Answers the prover's proposal: the text of a message of the kind `presentation-proposal`.
  public static func proposed(_ proposal: String, name: String) async throws(MSDKError) -> ProofRequest {
    ProofRequest(try await Call.number { vcx_proof_create_with_proposal($0, name, proposal, name, $1) })
  }

  /// Declines a proposal, or withdraws the request that was sent.
  public func decline(over connection: Connection, reason: String? = nil) async throws(MSDKError) {
    try await Call.done { msdk_proof_decline_proposal($0, handle, connection.handle, reason, $1) }
  }

  /// Restores a request from the text of ``serialized()``.
  public static func restore(_ text: String) async throws(MSDKError) -> ProofRequest {
    ProofRequest(try await Call.number { vcx_proof_deserialize($0, text, $1) })
  }

  /// Sends the request. If the connection is an invitation that carries the ``message``, sends nothing: the answer arrives
  /// there.
  public func send(over connection: Connection) async throws(MSDKError) {
    try await Call.done { vcx_proof_send_request($0, handle, connection.handle, $1) }
  }

  /// The message with the request, for an invitation without a handshake.
  public var message: String {
    get async throws(MSDKError) { try await Call.text { vcx_proof_get_request_msg($0, handle, $1) } ?? "" }
  }

  /// Looks into the mailbox once. A presentation is judged when it arrives.
  @discardableResult
  public func update() async throws(MSDKError) -> State {
    State(rawValue: try await Call.number { vcx_proof_update_state($0, handle, $1) }) ?? .notVerified
  }

  /// Waits until a presentation is judged, or the prover declines or proposes something else. Throws `CancellationError` if the
  /// task is cancelled: a prover does not have to answer.
  public func verdict(every pause: Duration = .milliseconds(300)) async throws -> Verdict {
    _ = try await reach([.verified, .notVerified, .proposed, .declined], every: pause) { try await update() }
    return try JSONText.read(Verdict.self, await Call.text { msdk_proof_explain($0, handle, $1) })
  }

  /// The content of the presentation, as it was judged. Throws 1023 if it is not verified.
  public func content() async throws(MSDKError) -> ProofContent {
    try JSONText.read(ProofContent.self, await Call.text { msdk_proof_content($0, handle, $1) })
  }

  /// The values of a verified presentation, by the item's referent and then by name. Throws 1023 for another one.
  public func revealed() async throws(MSDKError) -> [String: [String: String]] {
    try await content().revealed.mapValues(\.values)
  }

  /// The id of the exchange's thread. Throws 1005 before there is a message.
  public var threadID: String {
    get async throws(MSDKError) { try await Call.text { msdk_proof_get_thread_id($0, handle, $1) } ?? "" }
  }

  public func serialized() async throws(MSDKError) -> String {
    try await Call.text { vcx_proof_serialize($0, handle, $1) } ?? ""
  }
}
