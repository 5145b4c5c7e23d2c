import Foundation
import HTTPServing
import JSON
import TestSupport
import Testing

@testable import Registry

/// The certificates that registries trust. A file that is not there is named in the error, before TLS begins.
@Suite struct AuthoritySettingTests {
  private let server: HTTPServer
  private let folder: TemporaryFolder
  private static let authorities = "/nowhere/authorities.pem"

  init() throws {
    server = try HTTPServer { _ in HTTPServer.Response() }
    folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: URL(filePath: folder.path + "/tails"))
  }

  private var base: String { "https://127.0.0.1:\(server.port)" }

  @Test func aRegistryIsReadAndWrittenWithItsAuthorities() throws {
    let registry = try #require(HTTPRegistry(base: base, authorities: Self.authorities))
    let unread = #expect(throws: RegistryError.self) { try registry.schema("id") }
    #expect(unread.map { "\($0)" }?.contains(Self.authorities) == true)
    let unwritten = #expect(throws: PublicationError.self) {
      try registry.publish(tails: folder.path + "/tails", hash: "abc", of: "x")
    }
    #expect(unwritten.map { "\($0)" }?.contains(Self.authorities) == true)
  }

  @Test func aTailsServerIsWrittenToWithItsAuthorities() throws {
    let tails = try #require(TailsServer(base: base, authorities: Self.authorities, pause: 1))
    let error = #expect(throws: PublicationError.self) { try tails.publish(folder.path + "/tails", hash: "abc") }
    #expect(error.map { "\($0)" }?.contains(Self.authorities) == true)
  }
}

@Suite struct FullDiskTests {
  /// In a process of its own, whose files can have no more than some bytes, as on a disk that is full.
  @Test func aFileThatCannotBeWrittenLeavesNothing() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let registry = FileRegistry(folder: folder.path)
      try registry.publish(["name": "a"], .schema, "first")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let before = limit.rlim_cur
      limit.rlim_cur = 4_096
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
      let long = JSON.object(["name": .string(String(repeating: "x", count: 10_000))])
      let error = #expect(throws: PublicationError.self) { try registry.publish(long, .schema, "second") }
      limit.rlim_cur = before
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      guard case .unreachable? = error else { exit(3) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/schema") == ["first.json"])
    }
  }
}
