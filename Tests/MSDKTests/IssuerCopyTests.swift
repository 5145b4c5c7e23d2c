import Aries
import Credentials
import Foundation
import JSON
import Registry
import TestSupport
import Testing
import Wallet

@testable import MSDK

extension SDKTests {
  /// An issuer whose wallet comes from an export, after the original went on.
  @Suite struct IssuerCopyTests {
    private static let types = [
      "Indy::RevocationRegistryInfo", "Indy::RevocationRegistry", "msdk::rev_pending",
    ]

    /// The records of the registry, as an export has them.
    private func export(_ scene: RegistrarScene) throws -> [String?] {
      try Self.types.map { type in
        try LibraryRecords(of: type, in: scene.session.wallet).find(RegistrarScene.registryID)?.value
      }
    }

    /// Continues with the wallet of an export, in a new process.
    private func restore(_ exported: [String?], _ scene: RegistrarScene) throws {
      for (type, value) in zip(Self.types, exported) {
        let records = LibraryRecords(of: type, in: try scene.session.wallet)
        let id = RegistrarScene.registryID
        try scene.session.wallet.make([value.map { records.putting(id, value: $0) } ?? records.removing(id)])
      }
      try scene.restart(with: ["issue_credential_version": "2.0"])
    }

    private func requested(_ scene: RegistrarScene) throws -> IssuerCredential {
      var credential = try scene.offered()
      _ = try scene.request()
      try credential.update(with: scene.session)
      return credential
    }

    private func issued(_ scene: RegistrarScene) throws -> IssuerCredential {
      var credential = try requested(scene)
      try credential.sendCredential(with: scene.session)
      return credential
    }

    private func revoked(_ scene: RegistrarScene) throws -> [Int] {
      let list = try #require(try scene.lists().last?["revocationList"]?.array)
      return list.indices.filter { list[$0] == 1 }
    }

    @Test func aCopyRevokesBesideTheRevocationsOfTheOriginal() throws {
      let scene = try RegistrarScene()
      var (first, second) = (try issued(scene), try issued(scene))
      let exported = try export(scene)
      try first.revoke(with: scene.session)
      try restore(exported, scene)
      try second.revoke(with: scene.session)
      #expect(try revoked(scene) == [2, 3, 4])
    }

    /// The original is in one long session, and a copy revokes meanwhile.
    @Test func theOriginalRevokesBesideTheRevocationsOfACopy() throws {
      let scene = try RegistrarScene()
      var (first, second) = (try issued(scene), try issued(scene))
      let exported = try export(scene)
      try first.revoke(with: scene.session)
      for (type, value) in zip(Self.types, exported) {
        let records = LibraryRecords(of: type, in: try scene.session.wallet)
        let id = RegistrarScene.registryID
        try scene.session.wallet.make([value.map { records.putting(id, value: $0) } ?? records.removing(id)])
      }
      try second.revoke(with: scene.session)
      #expect(try revoked(scene) == [2, 3, 4])
    }

    @Test func aRevocationThatWaitsInTheExportHindersNoOther() throws {
      let scene = try RegistrarScene()
      var credentials = try (0..<3).map { _ in try issued(scene) }
      try scene.blockLists(true)
      #expect(throws: PublicationFailure.self) { try credentials[0].revoke(with: scene.session) }
      let exported = try export(scene)
      #expect(exported[2] != nil)
      try scene.blockLists(false)
      for place in 0..<2 { try credentials[place].revoke(with: scene.session) }
      try restore(exported, scene)
      try credentials[2].revoke(with: scene.session)
      #expect(try revoked(scene) == [2, 3, 4, 5])
    }

    /// Another call than a revocation publishes what waits.
    @Test func theDefinitionPublishesTheWaitingRegistryToo() throws {
      let scene = try RegistrarScene()
      var (first, second) = (try issued(scene), try issued(scene))
      let exported = try export(scene)
      try first.revoke(with: scene.session)
      try restore(exported, scene)
      try scene.blockLists(true)
      #expect(throws: PublicationFailure.self) { try second.revoke(with: scene.session) }
      try scene.blockLists(false)
      _ = try scene.definition()
      #expect(try revoked(scene) == [2, 3, 4])
    }

    @Test func aCredentialThatIsNewerThanTheExportIsRevoked() throws {
      let scene = try RegistrarScene()
      _ = try scene.definition()
      let exported = try export(scene)
      _ = try issued(scene)
      var last = try issued(scene)
      try restore(exported, scene)
      try last.revoke(with: scene.session)
      #expect(try revoked(scene) == [2, 4])
      _ = try issued(scene)
      #expect(try scene.lastPlace() == 5)
    }

    // MARK: The newest list

    /// Changes the file of the lists.
    private func changeLists(_ scene: RegistrarScene, _ change: (inout [JSON]) -> Void) throws {
      var lists = try scene.lists()
      change(&lists)
      let file = scene.folder.url.appending(path: "registry/rev_status_list")
        .appending(path: "\(RegistrarScene.registryID.replacing(":", with: "%3A")).json", directoryHint: .notDirectory)
      try Data(JSON.array(lists).text.utf8).write(to: file)
    }

    /// The clock of the original was ahead.
    @Test(arguments: [200, 86_400] as [Int64]) func aListOfALaterTimeCounts(ahead: Int64) throws {
      let scene = try RegistrarScene()
      _ = try scene.definition()
      let exported = try export(scene)
      var credential = try issued(scene)
      try credential.revoke(with: scene.session)
      try changeLists(scene) { lists in
        let last = lists.count - 1
        lists[last]["timestamp"] = .integer((lists[last]["timestamp"]?.integer ?? 0) + ahead)
      }
      try restore(exported, scene)
      _ = try issued(scene)
      #expect(try scene.lastPlace() == 4)
    }

    /// The registry has lost the list, which may have shown places of a newer wallet.
    @Test func withoutAListNoFurtherPlaceIsGivenOut() throws {
      let scene = try RegistrarScene()
      var credential = try requested(scene)
      try changeLists(scene) { $0 = [] }
      try scene.restart(with: ["issue_credential_version": "2.0"])
      #expect(throws: RegistryFailure.self) { try credential.sendCredential(with: scene.session) }
      #expect(try credential.state == 3 && scene.lastPlace() == 2)
    }

    /// A session reads the list before its first place, and not again.
    @Test func theListIsReadOnceInASession() throws {
      let scene = try RegistrarScene()
      _ = try issued(scene)
      try changeLists(scene) { $0 = [] }
      _ = try issued(scene)
      #expect(try scene.lastPlace() == 4)
      var third = try requested(scene)
      try scene.restart(with: ["issue_credential_version": "2.0"])
      #expect(throws: RegistryFailure.self) { try third.sendCredential(with: scene.session) }
    }

    /// The lost list may have shown revocations of the original.
    @Test func aLostListIsNotReplacedByAFirstOne() throws {
      let scene = try RegistrarScene()
      _ = try issued(scene)
      let exported = try export(scene)
      try restore(exported, scene)
      try changeLists(scene) { $0 = [] }
      _ = try scene.definition()
      #expect(try scene.lists().isEmpty)
    }

    /// A registry that was set up anew gets the registry and its list again.
    @Test func aNewRegistryGetsAFirstList() throws {
      let scene = try RegistrarScene()
      _ = try scene.definition()
      try FileManager.default.removeItem(atPath: "\(scene.folder.path)/registry")
      try scene.restart()
      _ = try scene.definition()
      #expect(try scene.lists().count == 1)
    }
  }
}
