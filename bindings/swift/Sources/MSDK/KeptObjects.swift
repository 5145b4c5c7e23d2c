internal import CMSDK
public import CMSDKCalls

/// An object that the wallet keeps, as it was after its last change.
public struct KeptObject: Sendable, Equatable, Decodable {
  /// The type of an object.
  public enum Kind: String, Sendable, Decodable {
    case connection, credential, proof, schema
    case disclosedProof = "disclosed_proof"
    case issuerCredential = "issuer_credential"
    case credentialDefinition = "credentialdef"
  }

  public let id: String
  public let kind: Kind
  /// The name that the program gave.
  public let name: String
  /// The number of the state in the API.
  public let state: UInt32
  /// Whether the exchange is over.
  public let isFinished: Bool
  /// The id of the exchange's messages; nil if there is none so far.
  public let thread: String?
  /// This side's DID in the connection; nil if it is not known.
  public let pairwiseDID: String?
  /// The peer's DID in the connection; nil if it is not known.
  public let theirDID: String?
  /// The time of the last change, in seconds since 1970.
  public let changed: Int64

  private enum CodingKeys: String, CodingKey {
    case id, state, thread, changed
    case kind = "type"
    case name = "source_id"
    case isFinished = "finished"
    case pairwiseDID = "pairwise_did"
    case theirDID = "their_did"
  }
}

extension KeptObject {
  /// The conditions of a list, all of which an object satisfies. Nil permits every value.
  public struct Query: Sendable, Encodable {
    public var kind: String?
    public var name: String?
    public var thread: String?
    public var pairwiseDID: String?
    public var theirDID: String?
    public var isFinished: Bool?
    /// The highest number of objects.
    public var limit: Int?

    public init(_ kind: Kind? = nil, name: String? = nil, isFinished: Bool? = nil, limit: Int? = nil) {
      self.kind = kind?.rawValue
      (self.name, self.isFinished, self.limit) = (name, isFinished, limit)
    }

    private enum CodingKeys: String, CodingKey {
      case thread, limit
      case kind = "type"
      case name = "source_id"
      case isFinished = "finished"
      case pairwiseDID = "pairwise_did"
      case theirDID = "their_did"
    }
  }

  /// The objects that the wallet keeps, because the configuration has `"keep_objects": true`. The object that has changed last
  /// comes first.
  public static func list(_ query: Query = Query()) async throws(MSDKError) -> [KeptObject] {
    let text = JSONText.of(query)
    return try JSONText.read([KeptObject].self, try await Call.text { msdk_objects_list($0, text, $1) })
  }

  /// Deletes the object from the wallet, and releases it. A credential and a connection's mailbox stay.
  public func delete() async throws(MSDKError) {
    try await Call.done { msdk_object_delete($0, id, $1) }
  }
}

/// A class whose objects the wallet keeps.
public protocol Keepable: Sendable {
  /// The kind of such objects among the kept ones.
  static var keptKind: KeptObject.Kind { get }

  /// Takes over the handle of an object. The last reference releases it.
  init(_ handle: UInt32)
}

extension Keepable {
  /// Opens an object that the wallet keeps. An object that is open already is shared with the new value. Throws 1048 if the
  /// object is of another kind.
  public static func open(_ object: KeptObject) async throws(MSDKError) -> Self {
    guard object.kind == keptKind else {
      let reason = "the object is of the type \(object.kind.rawValue), and not \(keptKind.rawValue)"
      throw MSDKError(code: VCX_INVALID_OBJ_HANDLE.rawValue, details: reason)
    }
    return Self(try await Call.numberAndText { msdk_object_open($0, object.id, $1) }.0)
  }
}

extension Connection: Keepable { public static let keptKind = KeptObject.Kind.connection }
extension Credential: Keepable { public static let keptKind = KeptObject.Kind.credential }
extension CredentialDefinition: Keepable { public static let keptKind = KeptObject.Kind.credentialDefinition }
extension IssuerCredential: Keepable { public static let keptKind = KeptObject.Kind.issuerCredential }
extension Proof: Keepable { public static let keptKind = KeptObject.Kind.disclosedProof }
extension ProofRequest: Keepable { public static let keptKind = KeptObject.Kind.proof }
extension Schema: Keepable { public static let keptKind = KeptObject.Kind.schema }
