import AgencyWire
import DIDComm
import HTTP
import JSON
import Sodium

@testable import AgencyServer

/// A device with an account, and the recovery key of its user's passphrase.
struct BackupDevice {
  var client: Client
  let agent: Party
  var recoveryKey = KeyPair()
  /// Its address, as a trusted proxy tells it.
  var address: String?

  struct Refused: Error, Equatable {
    let status: Int
  }

  init(_ server: AgencyServer) throws { try self.init(Client(server)) }

  init(_ client: Client) throws {
    self.client = client
    agent = try client.provision()
  }

  func begin() throws { try begin(at: RetrieveDeadDrop(of: recoveryKey).address) }

  func begin(at place: String) throws {
    let request = RetrieveDeadDrop(of: recoveryKey)
    let address: JSON = ["agent_did": .string(agent.did), "agent_vk": .string(agent.verkey.text)]
    let sealed = try Envelope.pack(address.bytes, for: [recoveryKey.verkey])
    let begin = InitBackup(
      recoveryVerKey: request.recoveryVerKey, address: place, cloudAddress: sealed)
    _ = try ask(begin, of: agent, from: client.keys)
  }

  /// With `key`, the request names the recovery key, as this library's does.
  func store(_ wallet: [UInt8], under key: String? = nil) throws {
    _ = try ask(BackUpWallet(wallet: wallet, recoveryVerKey: key), of: agent, from: client.keys)
  }

  /// The types of the agency's own messages.
  func notes() throws -> [String] { try messages().map(\.type) }

  func messages(_ filter: WireMessageFilter = WireMessageFilter()) throws -> [WireMessage] {
    try Messages(ask(GetMessages(filter: filter), of: agent, from: client.keys)).messages
  }

  /// The newest backup under a recovery key; nil if nobody has its dead drop.
  func restore(with key: KeyPair) throws -> [UInt8]? {
    let found = try DeadDropResult(ask(RetrieveDeadDrop(of: key), of: client.agency, from: client.keys))
    guard let data = found.data else { return nil }
    let address = try JSON(parsing: Envelope(parsing: data).open(with: key).message).requireObject()
    let keeper = Party(did: try address.string("agent_did"), verkey: try VerKey(address.string("agent_vk")))
    return try fetch(from: keeper, with: key)
  }

  func fetch(from keeper: Party, with key: KeyPair) throws -> [UInt8] {
    try BackupRestored(ask(RestoreBackup(), of: keeper, from: key)).wallet
  }

  /// Sends a request through the own account, and opens the answer.
  @discardableResult
  func ask(_ message: some AgencyMessage, of party: Party, from sender: KeyPair) throws -> JSONObject {
    let wrapping = try Wrapping(client.request(message), from: sender, to: party)
    let body = try wrapping.carried(by: agent, from: client.keys).carried(by: client.agency).bytes
    let http = HTTPClient(timeout: 40, maximumBody: 12 << 20)
    let response = try http.post(
      body, to: client.endpoint + "/agency/msg", contentType: "application/ssi-agent-wire",
      headers: address.map { ["X-Forwarded-For: \($0)"] } ?? [])
    guard response.status == 200 else { throw Refused(status: response.status) }
    let opened = try Envelope(parsing: response.body).open(with: sender)
    guard opened.sender == party.verkey else { throw Client.WrongSender() }
    return try JSON(parsing: opened.message).requireObject()
  }
}
