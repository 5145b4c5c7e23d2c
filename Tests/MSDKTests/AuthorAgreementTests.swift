import JSON
import Registry
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The agreement of a ledger's authors, in a session.
  @Suite struct AuthorAgreementTests {
    private static let acceptance: JSON = [
      "taaDigest": "7213", "acceptanceMechanismType": "on_file", "timeOfAcceptance": 1_795_298_125,
    ]

    @Test func theConfigurationOrTheProgramAcceptsTheAgreement() throws {
      let scene = try IssuingScene()
      #expect(Agent.ofTest.acceptedAgreement == nil)
      try scene.restart(with: ["author_agreement": Self.acceptance])
      let configured = try AgreementAcceptance(Self.acceptance.requireObject())
      #expect(Agent.ofTest.acceptedAgreement == configured)
      let other = try AgreementAcceptance(text: nil, version: nil, digest: "1", mechanism: "on_file", time: 1)
      Agent.ofTest.accept(other)
      #expect(Agent.ofTest.acceptedAgreement == other)
      try scene.restart()
      #expect(Agent.ofTest.acceptedAgreement == nil)
    }

    @Test func theFirstLedgerIsAskedForTheAgreement() throws {
      let scene = try IssuingScene()
      #expect(throws: SessionError.noLedger) { try scene.session.authorAgreement() }
      let ledger = try LedgerProcess()
      try scene.restart(with: [
        "genesis_transactions": .string(ledger.genesis), "indy_vdr_library_path": .string(CredentialLibraries.indyVDR),
      ])
      #expect(try withExtendedLifetime(ledger) { try scene.session.authorAgreement() } == "{}")
    }
  }
}
