import AgencyWire
import CloudAgent
import DIDComm
import HTTP
import HTTPServing
import JSON
import Sodium
import TestSupport
import Testing
import Threading

/// The requests of a channel as a web server sees them.
@Suite struct ChannelTests {
  private let owner = KeyPair()
  private let agency = Party(did: "Agency", verkey: KeyPair().verkey)

  private func channel(_ endpoint: String) -> AgencyChannel {
    AgencyChannel(endpoint: endpoint, agency: agency, keys: AgencyClientTests.Keys([owner]), http: HTTPClient())
  }

  /// Some servers take an empty part of a path for a place of its own.
  @Test(arguments: ["", "/", "/base", "/base/"]) func aBaseURLMayEndWithASlash(end: String) throws {
    let requests = Locked<[HTTPServer.Request]>([])
    let identity: JSON = ["DID": "Agency", "verKey": .string(agency.verkey.text)]
    let server = try HTTPServer { request in
      requests.withLock { $0.append(request) }
      return HTTPServer.Response(body: identity.bytes)
    }
    let channel = channel(server.endpoint + end)
    try channel.checkIdentity()
    _ = try? channel.provision(owner: owner.verkey)
    let base = end.hasSuffix("/") ? String(end.dropLast()) : end
    #expect(requests.withLock { $0.map(\.path) } == ["\(base)/agency", "\(base)/agency/msg"])
    #expect(channel.messageURL == "\(server.endpoint)\(base)/agency/msg")
    #expect(requests.withLock { $0.last?.header("Content-Type") } == "application/ssi-agent-wire")
  }

  @Test func aBusyAgencyIsSentTheMessageAgain() throws {
    let bodies = Locked<[[UInt8]]>([])
    let server = try HTTPServer { request in
      let count = bodies.withLock { bodies in
        bodies.append(request.body)
        return bodies.count
      }
      return HTTPServer.Response(status: count == 1 ? 429 : 503, headers: [("Retry-After", "0")])
    }
    #expect(throws: CloudAgentError.refused(status: 503, nil)) {
      try channel(server.endpoint).provision(owner: owner.verkey)
    }
    let sent = bodies.withLock { $0 }
    #expect(sent.count == 2 && sent.first == sent.last)
  }
}
