import Testing
import Threading

@testable import VCX

@Suite struct InputTests {
  @Test func aRequiredTextIsThereAndNotEmptyAndUTF8() throws {
    #expect(try text(constant("Zoë"), "name").decode() == "Zoë")
    #expect(throws: VCXError(.invalidOption, "the argument name is NULL")) { try text(nil, "name").decode() }
    #expect(throws: VCXError(.invalidOption, "the argument name is empty")) {
      try text(constant(""), "name").decode()
    }
    #expect(throws: VCXError(.invalidOption, "the argument name is not UTF-8")) {
      try text(notUTF8, "name").decode()
    }
    #expect(try text(constant(""), "name", allowingEmpty: true).decode() == "")
    #expect(throws: VCXError(.invalidConfiguration, "the argument name is NULL")) {
      try text(nil, "name", null: .invalidConfiguration).decode()
    }
    #expect(throws: VCXError(.invalidOption, "the argument name is empty")) {
      try text(constant(""), "name", null: .invalidConfiguration).decode()
    }
  }

  @Test func anOptionalTextThatIsEmptyIsAsGoodAsNone() throws {
    #expect(try optionalText(nil, "status").decode() == nil)
    #expect(try optionalText(constant(""), "status").decode() == nil)
    #expect(try optionalText(constant("MS-103"), "status").decode() == "MS-103")
    #expect(throws: VCXError(.invalidOption, "the argument status is not UTF-8")) {
      try optionalText(notUTF8, "status").decode()
    }
  }

  @Test func bytesAreThereAndNotNone() throws {
    let memory: [UInt8] = [1, 0, 255]
    #expect(try memory.withUnsafeBufferPointer { try bytes($0.baseAddress, 3, "data").decode() } == memory)
    #expect(throws: VCXError(.invalidOption, "the argument data has no bytes")) {
      try memory.withUnsafeBufferPointer { try bytes($0.baseAddress, 0, "data").decode() }
    }
    #expect(throws: VCXError(.invalidOption, "the argument data is NULL")) { try bytes(nil, 3, "data").decode() }
  }

  @Test func aMappedInputReportsTheErrorOfItsMap() throws {
    let number = text(constant("12"), "price").map { text in
      guard let number = UInt64(text) else { throw VCXError(.invalidOption, "not a number") }
      return number
    }
    #expect(try number.decode() == 12)
    #expect(throws: VCXError(.invalidOption, "the argument price is NULL")) {
      try text(nil, "price").map { $0.count }.decode()
    }
  }

  /// It may become ready before the operation's turn comes.
  @Test func aBusyObjectIsNotRefusedAtOnce() throws {
    let table = HandleTable<Int>(missing: .invalidConnectionHandle, kind: "number")
    let handle = try table.insert(1)
    let ready = known(handle, in: table, ready: { $0 == 2 })
    #expect(throws: VCXError(.notReady, "the object is not in a state that allows this")) { try ready.decode() }
    let isFree = Monitor(false)
    try #require(table[handle]).lane.post { _ in
      isFree.wait { $0 ? () : nil }
      return {}
    }
    #expect(throws: Never.self) { try ready.decode() }
    isFree.withLock { $0 = true }
  }
}
