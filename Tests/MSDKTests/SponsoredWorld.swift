import CloudAgent
import AgencyServer
import DIDComm
import Foundation
import HTTP
import HTTPServing
import JSON
import MSDK
import Sodium
import TestSupport
import Threading
import Wallet

/// An agency that wants tokens, the sponsor who gives them, and a wallet that is not made yet.
final class SponsoredWorld {
  let agent = Agent.ofTest
  let folder: TemporaryFolder
  let agency: AgencyServer
  let sponsorKeys = KeyPair()
  /// Where the agency announces messages.
  let sponsor: HTTPServer
  private let announced: Locked<[JSON]>

  init(answerBytes: Int = 1_000_000) throws {
    folder = try TemporaryFolder()
    let announced = Locked<[JSON]>([])
    self.announced = announced
    sponsor = try HTTPServer { request in
      if let body = try? JSON(parsing: request.body) { announced.withLock { $0.append(body) } }
      return HTTPServer.Response(status: 204)
    }
    var known = Sponsor(id: "example-sponsor")
    known.keys = [sponsorKeys.verkey]
    known.endpoint = sponsor.endpoint + "/notifications"
    var rules = Agency.Rules()
    rules.admission = try Admission(mode: .token, sponsors: [known])
    rules.callsPrivateWebhooks = true
    rules.answerBytes = answerBytes
    agency = try AgencyServer(dataFolder: folder.path + "/agency", rules: rules)
  }

  deinit {
    agent.stop(deletingWallet: false)
    agency.stop()
    sponsor.stop()
  }

  var session: MSDK.Session { get throws { try agent.running() } }

  /// A provisioning configuration, with `changes`.
  func provisioning(wallet: String = "alice", _ changes: JSONObject = [:]) throws -> Provisioning {
    var config: JSON = [
      "agency_url": .string(agency.endpoint), "agency_did": .string(agency.identity.did),
      "agency_verkey": .string(agency.identity.verkey.text), "wallet_name": .string(wallet),
      "wallet_key": "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", "wallet_key_derivation": "RAW",
      "storage_config": ["path": .string(folder.path + "/wallets")], "name": "Alice",
    ]
    for (key, value) in changes.members { config[key] = value }
    return try Provisioning(parsing: config.text)
  }

  /// A token as a sponsor's backend makes it.
  func token(sponsor: String = "example-sponsor", age: TimeInterval = 0, keys: KeyPair? = nil) throws -> SponsorToken {
    let keys = keys ?? sponsorKeys
    let (nonce, sponsee) = (String.randomUUID(), "user-42")
    let timestamp = Date(timeIntervalSinceNow: -age).formatted(.iso8601)
    let signature = keys.sign(Array((nonce + timestamp + sponsee + sponsor).utf8))
    let token: JSON = [
      "sponseeId": .string(sponsee), "sponsorId": .string(sponsor), "nonce": .string(nonce),
      "timestamp": .string(timestamp), "sig": .string(Base64.encode(signature, .standard)),
      "sponsorVerKey": .string(keys.verkey.text),
    ]
    return try SponsorToken(parsing: token.text)
  }

  /// Provisions and starts the agent.
  func start() throws {
    try agent.start(Settings(parsing: provisioning().run(with: token())))
  }

  /// A link secret of the closed wallet, and how many there are.
  func linkSecret(named name: String) throws -> (SecretBytes, count: Int) {
    let location = try WalletLocation(id: "alice", home: folder.path + "/wallets")
    let wallet = try Wallet.open(location, key: "G8r6kyQd2ToxoqMAa46UpgRSP7YhPsRTA5HE5Wxf71ca", derivation: .raw)
    defer { wallet.close() }
    let count = try wallet.recordCounts().first { $0.type == "Indy::MasterSecret" }?.count ?? 0
    return (try wallet.linkSecret(named: name), count)
  }

  /// The sponsor's announcements, once there are `count` or more, or after ten seconds.
  func announcements(_ count: Int) -> [JSON] {
    let end = Date(timeIntervalSinceNow: 10)
    while announced.withLock({ $0.count }) < count, Date() < end { usleep(20_000) }
    return announced.withLock { $0 }
  }
}
