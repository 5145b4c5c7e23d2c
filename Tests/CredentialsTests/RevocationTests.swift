import Foundation
import JSON
import Sodium
import TestSupport
import Testing

@testable import Credentials

@Suite struct RevocationTests {
  @Test func aStatusListTellsWhoIsRevoked() throws {
    let lists = try Vectors.json("rev_status_lists").requireArray().map { try StatusList(parsing: $0.text) }
    #expect(lists.map(\.timestamp) == [1_700_000_000, 1_700_001_000, 1_700_002_000])
    #expect(try lists.map { try $0.isRevoked(at: 5) } == [false, false, true])
    for index in [-1, 0, 20, Int64.max] {
      #expect(throws: CredentialsError.self) { try lists[0].isRevoked(at: index) }
    }
  }

  @Test func anIntervalIsNarrowedByAnother() {
    let whole = Interval(from: 10, to: 20)
    #expect(whole.intersection(Interval(from: 15)) == Interval(from: 15, to: 20))
    #expect(whole.intersection(Interval(to: 12)) == Interval(from: 10, to: 12))
    #expect(whole.intersection(Interval(from: 20)) == Interval(from: 20, to: 20))
    #expect(whole.intersection(Interval(from: 21)) == nil)
  }

  @Test(arguments: [0, -1, 1 << 40])
  func aRegistryHasRoomForAReasonableNumber(capacity: Int64) throws {
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["maxCredNum"] = .integer(capacity)
    #expect(throws: CredentialsError.self) { try RegistryDefinition(parsing: definition.text) }
  }

  @Test func aRegistryHasRoomForAMillionCredentials() throws {
    func definition(_ capacity: Int64) throws -> String {
      var definition = try Vectors.json("rev_reg_def")
      definition["value"]?["maxCredNum"] = .integer(capacity)
      return definition.text
    }
    #expect(try RegistryDefinition(parsing: definition(1)).tails.size == 2 + 128 * 3)
    #expect(try RegistryDefinition(parsing: definition(1 << 20)).tails.size == 2 + 128 * (1 << 21 + 1))
    #expect(throws: CredentialsError.self) { try RegistryDefinition(parsing: definition(1 << 20 + 1)) }
  }

  @Test(arguments: ["credDefId", "issuerId", "value/maxCredNum", "value/tailsHash", "value/tailsLocation"])
  func aRegistryWithoutAPartIsMalformed(path: String) throws {
    var definition = try Vectors.json("rev_reg_def")
    definition.set(path, to: nil)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    #expect(throws: CredentialsError.malformedRegistry("\(JSONError.missing(key: name))")) {
      try RegistryDefinition(parsing: definition.text)
    }
    #expect(throws: CredentialsError.malformedRegistry("\(JSONError.wrongType(key: nil, expected: "an object"))")) {
      try RegistryDefinition(parsing: "[]")
    }
  }

  @Test func theRegistryOfACredentialIsOneForItsDefinition() throws {
    let credential = try CredentialContent(parsing: Vectors.text("credential_rev_issued"))
    let definition = try Vectors.text("cred_def")
    try credential.check(registry: RegistryDefinition(parsing: Vectors.text("rev_reg_def")), of: definition)
    var other = try Vectors.json("rev_reg_def")
    other["credDefId"] = "another"
    #expect(throws: CredentialsError.malformedCredential("its revocation registry is for another definition")) {
      try credential.check(registry: RegistryDefinition(parsing: other.text), of: definition)
    }
    #expect(throws: CredentialsError.malformedCredential("its definition names no issuer")) {
      try credential.check(registry: RegistryDefinition(parsing: Vectors.text("rev_reg_def")), of: "{}")
    }
  }

  @Test(arguments: [0, 1_000, 1 << 31] as [Int64]) func aPlaceOutsideItsRegistryIsRefused(index: Int64) throws {
    var text = try Vectors.json("credential_rev_issued")
    text["signature"]?["r_credential"]?["i"] = .integer(index)
    let credential = try CredentialContent(parsing: text.text)
    #expect(throws: CredentialsError.malformedCredential("its revocation registry has no place \(index)")) {
      try credential.check(
        registry: RegistryDefinition(parsing: Vectors.text("rev_reg_def")), of: Vectors.text("cred_def"))
    }
  }

  // MARK: Tails

  private let folder: TemporaryFolder
  private let tails: RegistryDefinition.Tails
  private let content: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    tails = try RegistryDefinition(parsing: Vectors.text("rev_reg_def")).tails
    content = try Base64.decodeAny(Vectors.json("tails").requireObject().string("base64"))
  }

  private func store(_ download: @escaping TailsStore.Download) -> TailsStore {
    TailsStore(directory: "\(folder.path)/tails", download: download)
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/tails")) ?? []
  }

  @Test func aTailsFileIsDownloadedOnce() throws {
    let content = content
    let expected = tails
    let path = try store { url, limit in
      #expect(url == expected.location && limit == content.count)
      return content
    }.path(of: tails)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == content)
    #expect(files == [tails.hash])
    let again = try store { _, _ in throw CredentialsError.notFound }.path(of: tails)
    #expect(again == path)
  }

  @Test func aTailsFileThatWasChangedIsNotKept() throws {
    var changed = content
    changed[100] ^= 1
    for bytes in [changed, Array(content.dropLast()), content + [0], []] {
      #expect(throws: CredentialsError.self) { try store { _, _ in bytes }.path(of: tails) }
    }
    #expect(files.isEmpty)
  }

  @Test(arguments: ["../../etc/passwd", "", "abc", "HZvQHHYhmZrzkpz8bq14pEGuT3oLGDp9LrxB4Ts4aQy/"])
  func aMalformedHashNamesNoFile(hash: String) throws {
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["tailsHash"] = .string(hash)
    let tails = try RegistryDefinition(parsing: definition.text).tails
    #expect(throws: CredentialsError.malformedRegistry("its tails hash is none")) {
      try store { _, _ in [] }.path(of: tails)
    }
  }

  @Test func theApplicationMayHaveTheFileItself() throws {
    let file = folder.url.appending(path: tails.hash)
    try Data(content).write(to: file)
    let store = store { _, _ in throw CredentialsError.notFound }
    #expect(try store.path(of: tails, given: folder.path) == "\(folder.path)/\(tails.hash)")
    #expect(try store.path(of: tails, given: file.path) == file.path)
  }

  @Test func aRegistryOfThisMachineNamesAFile() throws {
    let file = folder.url.appending(path: "tails-file")
    try Data(content).write(to: file)
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["tailsLocation"] = .string(file.path)
    let tails = try RegistryDefinition(parsing: definition.text).tails
    let path = try store { _, _ in throw CredentialsError.notFound }.path(of: tails)
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == content)
  }

  /// A stranger may name any file of this machine.
  @Test func aLongerFileOfThisMachineIsNotRead() throws {
    let file = folder.url.appending(path: "long")
    try Data(content + [0]).write(to: file)
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["tailsLocation"] = .string(file.path)
    let tails = try RegistryDefinition(parsing: definition.text).tails
    #expect(throws: CredentialsError.malformedRegistry("its tails file cannot be read")) {
      try store { _, _ in [] }.path(of: tails)
    }
    #expect(files.isEmpty)
  }

  /// A read of a pipe without a writer would last for ever.
  @Test func aPipeOfThisMachineIsNotRead() throws {
    let pipe = folder.url.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["tailsLocation"] = .string(pipe)
    let tails = try RegistryDefinition(parsing: definition.text).tails
    #expect(throws: CredentialsError.malformedRegistry("its tails file cannot be read")) {
      try store { _, _ in [] }.path(of: tails)
    }
  }

  /// The hash is right, but the registry is for more credentials than the file.
  @Test(arguments: [1, -1]) func aTailsFileForAnotherNumberIsRefused(more: Int64) throws {
    var definition = try Vectors.json("rev_reg_def")
    let capacity = definition["value"]?["maxCredNum"]?.integer ?? 0
    definition["value"]?["maxCredNum"] = .integer(capacity + more)
    let (tails, content) = (try RegistryDefinition(parsing: definition.text).tails, content)
    #expect(throws: CredentialsError.malformedRegistry("its tails file has another size")) {
      try store { _, _ in content }.path(of: tails)
    }
    #expect(files.isEmpty)
  }

  @Test func aTailsFileWithAnotherHashIsRefused() throws {
    var changed = content
    changed[100] ^= 1
    let bytes = changed
    #expect(throws: CredentialsError.malformedRegistry("its tails file has another hash")) {
      try store { _, _ in bytes }.path(of: tails)
    }
  }

  @Test(arguments: ["http://a.example/t", "https://a.example/t", "HTTP://a.example/t", "ftp://a.example/t", "/none/t"])
  func onlyAURLIsDownloaded(location: String) throws {
    var definition = try Vectors.json("rev_reg_def")
    definition["value"]?["tailsLocation"] = .string(location)
    let tails = try RegistryDefinition(parsing: definition.text).tails
    struct Asked: Error, Equatable {}
    let store = store { _, _ in throw Asked() }
    if location.hasPrefix("http") {
      #expect(throws: Asked()) { try store.path(of: tails) }
    } else {
      #expect(throws: CredentialsError.malformedRegistry("its tails file cannot be read")) { try store.path(of: tails) }
    }
  }

  @Test func theFolderOfTheApplicationMayLackTheFile() throws {
    let store = store { _, _ in throw CredentialsError.notFound }
    #expect(try store.path(of: tails, given: folder.path) == folder.path)
    #expect(throws: CredentialsError.notFound) { try store.path(of: tails) }
  }

  @Test func aStatusListWithoutAPartIsMalformed() throws {
    let list = try Vectors.json("rev_status_lists").requireArray()[0]
    for name in ["revRegDefId", "timestamp", "revocationList"] {
      #expect(throws: CredentialsError.malformedRegistry("its status list: \(JSONError.missing(key: name))")) {
        try StatusList(parsing: list.with([name: .null]).text)
      }
    }
    let small = try StatusList(parsing: list.with(["revocationList": [1, 0, 1, true]]).text)
    #expect(try [1, 2, 3].map { try small.isRevoked(at: $0) } == [false, true, true])
    #expect(throws: CredentialsError.malformedRegistry("its status list has no place 4")) { try small.isRevoked(at: 4) }
    #expect(throws: CredentialsError.malformedRegistry("its status list has no place 0")) { try small.isRevoked(at: 0) }
  }
}
