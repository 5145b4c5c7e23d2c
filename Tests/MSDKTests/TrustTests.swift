import HTTPServing
import JSON
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// Every request over TLS trusts the certificates of the configuration, and no others. The file here has none, which
  /// the errors tell.
  @Suite final class TrustTests {
    private let folder: TemporaryFolder
    /// It answers nobody, since it does not speak TLS.
    private static let server = try? HTTPServer { _ in HTTPServer.Response() }
    private let url: String

    init() throws {
      folder = try TemporaryFolder()
      url = try #require(Self.server).endpoint.replacing("http://", with: "https://")
      let settings = try Settings(parsing: config.text)
      try Wallet.makeUnlessPresent(settings.wallet)
      try Agent.ofTest.start(settings)
    }

    private var config: JSON {
      SettingsTests.complete.with([
        "wallet_key": .string(SessionTests.key), "wallet_key_derivation": "RAW", "ca_file": "/dev/null",
        "storage_config": ["path": .string(folder.path)], "agency_endpoint": .string(url),
        "anoncreds_registries": [["type": "http", "url": .string(url)]],
      ])
    }

    private func expectDistrust(_ request: () throws -> Void) {
      #expect { try request() } throws: { "\($0)".contains("/dev/null") }
    }

    @Test func theRunningSessionTrustsTheFile() throws {
      let session = try Agent.ofTest.running()
      expectDistrust { try session.checkHealth() }
      expectDistrust { _ = try session.post([1], to: url) }
      expectDistrust { _ = try session.downloadTails(url, limit: 1) }
      expectDistrust { _ = try session.registries.schema("V4SGRU86Z58d6TV7PBUe6f:2:degree:1.0") }
    }

    @Test func aRequestBeforeTheSessionTrustsTheFile() throws {
      let provisioning = config.with(["wallet_name": "bob"])
      expectDistrust { _ = try Provisioning(parsing: provisioning.text).run() }
      let token: JSON = ["vcx_config": provisioning, "sponsee_id": "a", "sponsor_id": "b"]
      expectDistrust { _ = try TokenRequest(parsing: token.text).run() }
      expectDistrust { _ = try MessageLink(url).resolve(trusting: "/dev/null") }
    }
  }
}
