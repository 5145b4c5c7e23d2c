import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import Registry

/// Copies of a ledger's objects, which serve under the ids of the ledger.
@Suite struct CopyingTests {
  private let folder: TemporaryFolder
  private let ledger = StubRegistry()
  private let tails: String

  init() throws {
    folder = try TemporaryFolder()
    tails = folder.path + "/file"
    try Data([1, 2, 3]).write(to: URL(filePath: tails))
    try serve()
    try serve(list: 0)
  }

  private var copies: String { folder.path + "/copies" }
  private var hash: String { Base58.encode(sha256([1, 2, 3])) }

  /// Lets the ledger answer with the objects of the fixtures, after a change of one kind.
  private func serve(_ kind: ObjectKind? = nil, changed change: (inout JSON) -> Void = { _ in }) throws {
    var objects: [String: JSON] = [:]
    for each in [ObjectKind.schema, .definition, .revocationRegistry] {
      var object = try Objects.object(each)
      if each == kind { change(&object) }
      objects[Objects.id(each)] = object
    }
    ledger.answer { [objects] id throws(RegistryError) in
      guard let object = objects[id] else { throw .notFound }
      return object
    }
  }

  private func serve(list index: Int) throws {
    let list = try Objects.json("rev_status_lists").requireArray()[index]
    ledger.answerLists { _ in list }
  }

  /// Copies all objects, as a process that knows none.
  private func copy(tailsBase: String? = nil) throws {
    let source = Registries(cache: StubCache(), now: { 1_700_002_000 }) { [ledger] in [ledger] }
    let folder = FileRegistry(folder: copies, tailsBase: tailsBase)
    try source.copy(schema: Objects.schemaID, to: folder)
    try source.copy(definition: Objects.definitionID, to: folder)
    try source.copy(revocationRegistry: Objects.registryID, tails: tails, hash: hash, to: folder)
  }

  private var read: Registries {
    let copies = FileRegistry(folder: copies)
    return Registries(cache: StubCache(), now: { 1_700_002_000 }) { [copies] }
  }

  @Test func theCopiesHaveTheLedgersIDsAndContents() throws {
    try copy()
    #expect(try read.schema(Objects.schemaID).json == Objects.object(.schema))
    #expect(try read.definition(Objects.definitionID).json == Objects.object(.definition))
    #expect(try read.revocationRegistry(Objects.registryID).json == Objects.object(.revocationRegistry))
    let list = try #require(Objects.json("rev_status_lists").array?.first)
    #expect(try read.statusList(of: Objects.registryID, at: 1_700_001_999).json == list)
    #expect(try Data(contentsOf: URL(filePath: "\(copies)/tails/\(hash)")) == Data([1, 2, 3]))
  }

  @Test func aSecondCopyAddsTheStatusThatHasChanged() throws {
    let lists = try Objects.json("rev_status_lists").requireArray()
    let file = "\(copies)/\(StatusLists.path(of: Objects.registryID))"
    for (index, count) in [(0, 1), (0, 1), (1, 2), (0, 2)] {
      try serve(list: index)
      try copy()
      #expect(try JSON(parsing: Array(Data(contentsOf: URL(filePath: file)))) == .array(Array(lists.prefix(count))))
    }
  }

  @Test func theCopyNamesThePlaceOfTheCopiedTailsFile() throws {
    try copy(tailsBase: "https://example.com/tails/")
    let registry = try read.revocationRegistry(Objects.registryID).json
    #expect(registry["value"]?["tailsLocation"] == .string("https://example.com/tails/\(hash)"))
  }

  @Test(arguments: [
    (ObjectKind.schema, "attrNames"), (.definition, "value"), (.revocationRegistry, "value"),
  ])
  func anObjectThatDiffersFromItsCopyIsRefused(kind: ObjectKind, member: String) throws {
    try copy()
    try serve(kind) { object in
      if kind == .schema { object[member] = ["other"] } else { object[member]?["more"] = "1" }
    }
    let failure = #expect(throws: PublicationFailure.self) { try copy() }
    #expect(failure?.kind == .object(kind) && failure?.id == Objects.id(kind))
    try serve()
    try copy()
  }

  @Test func anObjectOfAnotherIssuerIsNotCopied() throws {
    try serve(.schema) { $0["issuerId"] = "CKEDK9HrMnmiHXEV1WFgbV" }
    #expect(throws: RegistryFailure.self) { try copy() }
    #expect(!FileManager.default.fileExists(atPath: copies))
  }
}
