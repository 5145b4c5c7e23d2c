import JSON
import Registry
import TestSupport
import Testing

@testable import MSDK

extension SDKTests {
  /// The agreement of a ledger's authors, in a session.
  @Suite(.serialized) struct AuthorAgreementTests {
    private static let acceptance: JSON = [
      "taaDigest": "7213", "acceptanceMechanismType": "on_file", "timeOfAcceptance": 1_795_298_125,
    ]

    @Test func theConfigurationOrTheProgramAcceptsTheAgreement() throws {
      let scene = try IssuingScene()
      #expect(Agent.standard.acceptedAgreement == nil)
      try scene.restart(with: ["author_agreement": Self.acceptance])
      let configured = try AgreementAcceptance(Self.acceptance.requireObject())
      #expect(Agent.standard.acceptedAgreement == configured)
      let other = try AgreementAcceptance(text: nil, version: nil, digest: "1", mechanism: "on_file", time: 1)
      Agent.standard.accept(other)
      #expect(Agent.standard.acceptedAgreement == other)
      try scene.restart()
      #expect(Agent.standard.acceptedAgreement == nil)
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
