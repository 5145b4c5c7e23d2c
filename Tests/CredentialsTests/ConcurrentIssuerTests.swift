import Foundation
import JSON
import TestSupport
import Testing
import Threading
import Wallet

@testable import Credentials

/// Threads and processes of one issuer that do the same at once, or one after the other.
@Suite struct ConcurrentIssuerTests {
  private let scene: IssuerScene

  init() throws {
    scene = try IssuerScene()
    try scene.loadRecords()
  }

  @Test func revocationsAtOnceAreAllNoted() throws {
    let (issuer, done) = (scene.issuer, Monitor(0))
    for place in 3...10 { _ = try scene.allocate(for: "t\(place)") }
    for place: Int64 in 3...10 {
      Threads.shared.post {
        try? issuer.revoke(place, in: IssuerScene.registryID)
        done.withLock { $0 += 1 }
      }
    }
    done.wait { $0 == 8 ? () : nil }
    #expect(try issuer.registry(IssuerScene.registryID).listed == Set(2...10))
    #expect(try issuer.registry(IssuerScene.registryID).pending?.revoked == Set(3...10))
  }

  /// A ledger refuses the second publication of one change.
  @Test func aChangeIsPublishedByOneThread() throws {
    let (issuer, published, done) = (scene.issuer, Locked(0), Monitor(false))
    _ = try scene.allocate(for: "t3")
    try issuer.revoke(3, in: IssuerScene.registryID)
    try issuer.publishPending(of: IssuerScene.registryID) { _ in
      published.withLock { $0 += 1 }
      Threads.shared.post {
        try? issuer.publishPending(of: IssuerScene.registryID) { _ in published.withLock { $0 += 1 } }
        done.withLock { $0 = true }
      }
      // Without a lock the other thread would not wait for this publication's end.
      _ = done.wait(milliseconds: 50) { $0 ? () : nil }
    }
    done.wait { $0 ? () : nil }
    #expect(published.withLock { $0 } == 1)
  }

  // MARK: Offers

  private func offer(_ name: String) throws -> JSON {
    try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { _ in ["offer": .string(name)] }
  }

  /// The program may have stored a state from before the request.
  @Test func theOfferStaysUntilTheExchangeEnds() throws {
    let message = try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { ["offer": .string($0)] }
    _ = try scene.issue(on: "t1")
    #expect(try offer("another") == message)
    try scene.issuer.end("t1")
    #expect(try offer("another") == ["offer": "another"])
  }

  /// The messages stand for another process, which changes the wallet between the reading and the writing.
  @Test func ofTwoOffersThatProcessesMakeAtOnceOneIsUsed() throws {
    let first = try scene.issuer.offer(of: IssuerScene.terms, on: "t1") { _ in
      _ = try? offer("of another process")
      return ["offer": "of this one"]
    }
    #expect(first == ["offer": "of another process"])
  }

  /// The note of the exchange is another process's by now, so its place and its credential stay.
  @Test func anExchangeThatAnotherProcessHasChangedGetsNoSecondPlace() throws {
    var stale = Issuance()
    _ = try scene.allocate(for: "t1")
    #expect(throws: WalletError.recordChanged) {
      try scene.issuer.allocate(in: IssuerScene.registryID, for: "t1", &stale)
    }
    #expect(try scene.issuer.registry(IssuerScene.registryID).lastIndex == 3)
    #expect(try scene.issuer.issuance(on: "t1")?.index == 3)
  }

  /// A process ended between the two.
  @Test func aPlaceDoesNotReplaceTheOffer() throws {
    let first = try offer("first")
    var issuance = try #require(try scene.issuer.issuance(on: "t1"))
    _ = try scene.issuer.allocate(in: IssuerScene.registryID, for: "t1", &issuance)
    #expect(try offer("second") == first)
    #expect(try scene.issuer.issuance(on: "t1")?.index == 3)
  }

  // MARK: Files

  private func removeRegistry() throws {
    for type in ["Definition", "DefinitionPrivate", "", "Info"] {
      try scene.wallet.wallet.make([
        scene.wallet.records("Indy::RevocationRegistry\(type)").removing(IssuerScene.registryID)
      ])
    }
  }

  /// A second key would replace the key of a registry that may be published already.
  @Test func aRegistryIsMadeByOneThread() throws {
    try removeRegistry()
    let (issuer, folder, made) = (scene.issuer, scene.folder.path + "/tails", Monitor<[String?]>([]))
    let definition = try issuer.definition(IssuerScene.definitionID)
    for _ in 0..<4 {
      Threads.shared.post {
        let text = try? issuer.makeRegistry(of: definition, size: 1, folder: folder).text
        made.withLock { $0.append(text) }
      }
    }
    let texts = made.wait { $0.count == 4 ? $0 : nil }
    #expect(try Set(texts) == [issuer.registry(IssuerScene.registryID).text])
    // Each key has a tails file of its own.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
  }

  /// A web server of another user gives the tails files to holders.
  @Test func everybodyMayReadTheFolderOfTailsFiles() throws {
    try removeRegistry()
    let folder = scene.folder.path + "/served/tails"
    _ = try scene.issuer.makeRegistry(
      of: scene.issuer.definition(IssuerScene.definitionID), size: 1, folder: folder)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder)
    #expect(attributes[.posixPermissions] as? Int == 0o755)
  }
}
