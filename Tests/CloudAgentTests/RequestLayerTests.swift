import AgencyWire
import Aries
import CloudAgent
import DIDComm
import HTTP
import JSON
import Sodium
import TestSupport
import Testing

/// The layers in which a client sends its requests: agencies of other makes expect exactly these.
@Suite struct RequestLayerTests {
  let owner = KeyPair()
  let pairwise = KeyPair()
  let recovery = KeyPair()

  private func client(of agency: LayerAgency) -> (client: AgencyClient, mailbox: Mailbox) {
    let channel = AgencyChannel(
      endpoint: agency.endpoint, agency: agency.party, keys: AgencyClientTests.Keys([owner, pairwise, recovery]),
      http: HTTPClient(maximumBody: 16 << 20))
    let mailbox = Mailbox(key: pairwise.verkey, keeper: LayerAgency.party(agency.mailbox))
    let directory = AgencyClientTests.Directory(mailbox)
    let client = AgencyClient(
      channel: channel, owner: owner.verkey, agent: LayerAgency.party(agency.agent), directory: directory)
    return (client, mailbox)
  }

  private static let requests = [
    "CREATE_KEY", "GET_MSGS_BY_CONNS", "UPDATE_MSG_STATUS_BY_CONNS", "UPDATE_COM_METHOD", "GET_MSGS",
    "UPDATE_CONN_STATUS", "own GET_MSGS", "WALLET_INIT_BACKUP", "WALLET_BACKUP", "DEAD_DROP_RETRIEVE",
  ]

  /// Sends the request, whose answer is malformed here.
  private func send(_ request: String, _ client: AgencyClient, _ mailbox: Mailbox) throws {
    switch request {
    case "CREATE_KEY": _ = try client.openMailbox(for: pairwise.verkey)
    case "GET_MSGS_BY_CONNS": _ = try client.messages(of: [], MessageFilter())
    case "UPDATE_MSG_STATUS_BY_CONNS": try client.setStatus(.reviewed, of: [])
    case "UPDATE_COM_METHOD": try client.setComMethod(ComMethod(id: "1", kind: .push, value: "x"))
    case "GET_MSGS": _ = try client.messages(in: mailbox, MessageFilter())
    case "UPDATE_CONN_STATUS": try client.closeMailbox(mailbox)
    case "own GET_MSGS": _ = try client.ownMessages(MessageFilter())
    case "WALLET_INIT_BACKUP": try client.beginBackup(at: client.backupPlace(of: recovery), under: recovery.verkey)
    case "WALLET_BACKUP": try client.storeBackup([1], under: recovery.verkey)
    default: _ = try client.newestBackup(under: recovery)
    }
  }

  @Test(arguments: requests) func aRequestHasItsLayers(request: String) throws {
    let agency = try LayerAgency()
    let (client, mailbox) = client(of: agency)
    try? send(request, client, mailbox)
    typealias Layer = LayerAgency.Layer
    let outer = Layer(name: "FWD", sender: nil, reader: agency.keys.verkey)
    let relay = Layer(name: "FWD", sender: owner.verkey, reader: agency.agent.verkey)
    let name = String(request.split(separator: " ").last ?? "")
    let expected: [Layer] =
      switch request {
      case "CREATE_KEY", "GET_MSGS_BY_CONNS", "UPDATE_MSG_STATUS_BY_CONNS", "UPDATE_COM_METHOD":
        [outer, Layer(name: name, sender: owner.verkey, reader: agency.agent.verkey)]
      case "GET_MSGS", "UPDATE_CONN_STATUS":
        [outer, relay, Layer(name: name, sender: pairwise.verkey, reader: agency.mailbox.verkey)]
      case "DEAD_DROP_RETRIEVE": [outer, relay, Layer(name: name, sender: owner.verkey, reader: agency.keys.verkey)]
      default: [outer, relay, Layer(name: name, sender: owner.verkey, reader: agency.agent.verkey)]
      }
    #expect(agency.layers == [expected])
  }

  /// The cloud address is read by other libraries, and theirs by this one.
  @Test func theCloudAddressNamesTheAgent() throws {
    let agency = try LayerAgency()
    let place = try client(of: agency).client.backupPlace(of: recovery)
    let opened = try Envelope(parsing: place.cloudAddress).open(with: recovery)
    #expect(opened.sender == nil)
    let agent = agency.agent.verkey
    let names: JSON = ["version": nil, "agent_did": .string(agent.did.text), "agent_vk": .string(agent.text)]
    #expect(try JSON(parsing: opened.message) == ["version": "1.0", "data": names])
    let drop = RetrieveDeadDrop(of: recovery)
    #expect(place.address == drop.address && place.locator == drop.locator)
  }

  /// The largest that an agency takes by default. Its answer is longer than any other. Another account keeps it.
  @Test(.withoutThreadSanitizer) func aLongBackupIsFetchedFromItsKeeper() throws {
    let wallet = [UInt8](repeating: 7, count: 5_000_000)
    let recovery = recovery
    let agency = try LayerAgency { names, request in
      switch request {
      case "DEAD_DROP_RETRIEVE":
        let names: JSON = ["agent_did": .string(names.agent.did), "agent_vk": .string(names.agent.verkey.text)]
        let sealed = try? Envelope.pack((["data": names] as JSON).bytes, for: [recovery.verkey])
        let result = DeadDropResult(address: "", data: sealed)
        return result.json(type: DeadDropResult.name)
      case "WALLET_BACKUP_RESTORE": return BackupRestored(wallet: wallet).json(type: BackupRestored.name)
      default: return nil
      }
    }
    #expect(try client(of: agency).client.newestBackup(under: recovery) == .found(wallet))
    let fetch = try #require(agency.layers.last)
    #expect(fetch.map(\.name) == ["FWD", "FWD", "WALLET_BACKUP_RESTORE"])
    #expect(fetch.map(\.sender) == [nil, owner.verkey, recovery.verkey])
  }

  @Test func withoutADeadDropThereIsNoBackup() throws {
    let agency = try LayerAgency { _, request in
      request == "DEAD_DROP_RETRIEVE" ? DeadDropResult(address: "", data: nil).json(type: DeadDropResult.name) : nil
    }
    #expect(try client(of: agency).client.newestBackup(under: recovery) == .unknownKey)
    #expect(agency.layers.count == 1)
  }

  @Test func aDeadDropThatCannotBeOpenedIsNotTakenForNone() throws {
    let agency = try LayerAgency { _, request in
      request == "DEAD_DROP_RETRIEVE" ? DeadDropResult(address: "", data: [1]).json(type: DeadDropResult.name) : nil
    }
    #expect(
      performing: { try client(of: agency).client.newestBackup(under: recovery) }, throws: ForgedAnswerTests.isInvalid)
    #expect(agency.layers.count == 1)
  }
}
