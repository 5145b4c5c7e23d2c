import Testing

@testable import VCX

@Suite struct HandleTableTests {
  @Test func numbersStartAtOneAndAreUniqueOverKinds() throws {
    let counter = HandleCounter()
    let names = HandleTable<String>(missing: .invalidConnectionHandle, kind: "name", counter: counter)
    let ages = HandleTable<Int>(missing: .invalidProofHandle, kind: "age", counter: counter)
    #expect(try names.insert("a") == 1)
    #expect(try ages.insert(30) == 2)
    #expect(try names.insert("b") == 3)
    #expect(names[2] == nil)
    #expect(ages.missing(3) == VCXError(.invalidProofHandle, "no age has the handle 3"))
  }

  @Test func aNumberIsNeverUsedAgain() throws {
    let table = HandleTable<String>(missing: .invalidConnectionHandle, kind: "name", counter: HandleCounter())
    let first = try table.insert("a")
    #expect(table.remove(first))
    #expect(!table.remove(first))
    #expect(try table.insert("b") == first + 1)
    table.removeAll(of: .standard)
    #expect(table[first + 1] == nil)
    #expect(try table.insert("c") == first + 2)
  }

  @Test func theLastNumberIsAnErrorAndNotZero() throws {
    let counter = HandleCounter(after: UInt32(Int32.max) - 1)
    #expect(try counter.next() == UInt32(Int32.max))
    #expect(throws: VCXError(.objectCacheError, "all handles have been given out")) { try counter.next() }
  }
}
