import Foundation
import Testing
import Threading

@testable import VCX

@Suite struct MemoryTests {
  @Test func theVersionLiesBelowTwoGiB() throws {
    let version = try #require(vcx_version())
    #expect(UInt(bitPattern: version) < 1 << 31)
    #expect(vcx_version() == version)
    let text = String(cString: version)
    #expect(text.wholeMatch(of: /\d+\.\d+\.\d+\+[0-9a-f]{7}/) != nil, "\(text)")
  }

  @Test(arguments: [0, 1, 4095, 4096, 100_000])
  func memoryHoldsATextOfItsSize(count: Int) throws {
    let memory = try #require(LowMemory(capacity: count + 1))
    defer { memory.release() }
    let text = String(repeating: "x", count: count)
    let pointer = try #require(memory.store(text.utf8))
    #expect(UInt(bitPattern: pointer) < 1 << 31)
    #expect(String(cString: pointer) == text)
  }

  @Test func aTextThatDoesNotFitIsNotCut() throws {
    let memory = try #require(LowMemory(capacity: 1))
    defer { memory.release() }
    #expect(memory.store(Array(repeating: 0x78, count: 1 << 20)) == nil)
  }

  @Test func aBlockingResultIsTheThreadsOwn() async throws {
    let other = Threads(limit: 1)
    let kept = await withCheckedContinuation { (continuation: CheckedContinuation<String?, Never>) in
      other.post {
        nonisolated(unsafe) let kept = answer(text(constant("here"), "text"), body: { $0 })
        Threads.shared.post {
          _ = answer(text(constant("elsewhere"), "text"), body: { $0 })
          continuation.resume(returning: kept.map { String(cString: $0) })
        }
      }
    }
    #expect(kept == "here")
  }

  /// The zero at the end needs room too.
  @Test func aTextThatFillsItsPagesIsKeptWhole() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    for count in [page - 1, page, page + 1, 2 * page] {
      let long = String(repeating: "x", count: count)
      let kept = try #require(answer(plain(long)) { $0 })
      #expect(String(cString: kept) == long)
      let memory = try #require(LowMemory(capacity: count))
      defer { memory.release() }
      #expect((memory.store(long.utf8) == nil) == (count % page == 0))
    }
  }

  /// A program that writes to it would change the version for all others.
  @Test func theVersionCannotBeOverwritten() throws {
    let version = try #require(vcx_version())
    let address = UInt(bitPattern: version)
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
    let own = try maps.first { line in
      let bounds = try line.split(separator: " ")[0].split(separator: "-").map { try #require(UInt($0, radix: 16)) }
      return bounds[0] <= address && address < bounds[1]
    }
    #expect(own?.split(separator: " ")[1] == "r--p")
  }

  @Test func aBlockingErrorIsNilAndTheCurrentError() {
    #expect(answer(text(nil, "text")) { $0 } == nil)
    #expect(currentError()?.contains("the argument text is NULL") == true)
    #expect(vcx_provision_agent(nil) == nil)
    #expect(vcx_provision_agent_with_token("{}", nil) == nil)
  }
}
