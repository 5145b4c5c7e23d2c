import IndyVDR
import JSON
import Registry
import Sodium
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// A session writes to a ledger of one node, which checks signatures, with the keys of its wallet.
  @Suite final class LedgerPublishingTests {
    private let folder: TemporaryFolder
    private static let seeds = ["0000000000000000000000TheAuthor1", "00000000000000000000TheEndorser1"]

    init() throws { folder = try TemporaryFolder() }

    private func pair(_ number: Int) throws -> KeyPair {
      try KeyPair(seed: SecretBytes(copying: Array(Self.seeds[number].utf8)))
    }

    private func did(_ number: Int) throws -> String { try pair(number).verkey.did.text }

    /// A ledger that has both DIDs, and requires an agreement if one is given.
    private func ledger(agreement: String? = nil) throws -> LedgerProcess {
      var operations = try (0..<2).map { number -> JSON in
        ["type": "1", "dest": .string(try did(number)), "verkey": .string(try pair(number).verkey.text)]
      }
      if let agreement {
        operations.append(["type": "4", "text": .string(agreement), "version": "2.0", "ratification_ts": 1])
        operations.append(["type": "5", "aml": ["on_file": "the form is in our files"], "version": "1.0"])
      }
      let author = JSON.string(try did(0))
      return try LedgerProcess(
        requests: .array(operations.map { ["identifier": author, "reqId": 1, "operation": $0] }))
    }

    /// Starts a session of the author, or of the endorser, with its DID in the wallet.
    private func start(_ number: Int, on ledger: LedgerProcess, _ members: [String: JSON] = [:]) throws -> Session {
      Agent.ofTest.stop(deletingWallet: false)
      let config: JSON = [
        "wallet_name": .string("\(number)"), "wallet_key": .string(SessionTests.key), "wallet_key_derivation": "RAW",
        "storage_config": ["path": .string(folder.path)], "institution_did": .string(try did(number)),
        "genesis_transactions": .string(ledger.genesis), "indy_vdr_library_path": .string(CredentialLibraries.indyVDR),
      ]
      let settings = try Settings(parsing: config.with(members).text)
      try Wallet.makeUnlessPresent(settings.wallet)
      try Agent.ofTest.start(settings)
      let session = try Agent.ofTest.running()
      _ = try session.wallet.createDID(seed: SecretBytes(copying: Array(Self.seeds[number].utf8)))
      return session
    }

    private func schema(_ name: String, of issuer: String) throws -> Schema {
      try Schema(sourceID: "s", name: name, version: "1.0", attributes: #"["a"]"#, issuer: issuer)
    }

    @Test func theKeysOfTheWalletSignForTheirDIDs() throws {
      let ledger = try ledger()
      try withExtendedLifetime(ledger) {
        let session = try start(0, on: ledger)
        for name in ["first", "second"] {
          var schema = try schema(name, of: did(0))
          try schema.publish(with: session)
          #expect(try Schema(sourceID: "f", fetching: schema.id, with: session).attributes == ["a"])
        }
        var foreign = try schema("third", of: did(1))
        #expect {
          try foreign.publish(with: session)
        } throws: { error in
          if case .noKey? = (error as? PublicationFailure)?.error { true } else { false }
        }
      }
    }

    @Test func anAuthorWritesWithTheAcceptedAgreement() throws {
      let ledger = try ledger(agreement: "be careful")
      try withExtendedLifetime(ledger) {
        let session = try start(0, on: ledger)
        var schema = try schema("n", of: did(0))
        #expect(throws: PublicationFailure.self) { try schema.publish(with: session) }
        Agent.ofTest.accept(
          try AgreementAcceptance(
            text: "be careful", version: "2.0", digest: nil, mechanism: "on_file", time: 1_795_298_125))
        try schema.publish(with: session)
        #expect(schema.state == 1)
      }
    }

    /// The author may not write, and learns of the publication by looking.
    @Test func anEndorserPublishesForAnAuthor() throws {
      let ledger = try ledger()
      try withExtendedLifetime(ledger) {
        let author = try start(0, on: ledger)
        var schema = try schema("n", of: did(0))
        let transaction = try schema.transaction(for: did(1), with: author)
        schema.update(with: author)
        #expect(schema.state == 0)
        let endorser = try start(1, on: ledger)
        try endorser.endorse(transaction)
        schema.update(with: endorser)
        #expect(schema.state == 1)
      }
    }
  }
}
