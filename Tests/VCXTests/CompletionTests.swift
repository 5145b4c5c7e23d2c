import Testing
import Threading

@testable import VCX

/// Each callback shape: what it receives from a success and from an error.
@Suite(.serialized) struct CompletionTests {
  @Test func aText() {
    let completion = Completion<String>(1, { heard("\($0) \($1)", $2) })
    completion?.succeed("text")
    completion?.fail(VCXError(.notReady, ""))
    completion?.fail(VCXError(.notReady, ""), giving: "")
    #expect(all() == ["1 0 text", "1 1005 NULL", "1 1005 "])
  }

  /// Not the error of an earlier call on the same thread.
  @Test func withinACallbackTheCurrentErrorIsTheErrorOfTheCall() {
    let completion = Completion<String>(
      1, { command, error, _ in heard("\(command) \(error) \(currentError() ?? "")") })
    for detail in ["an older reason", "this reason"] { completion?.fail(VCXError(.notReady, detail)) }
    let delivered = all()
    #expect(delivered.count == 2)
    #expect(delivered.last?.hasPrefix("1 1005 ") == true && delivered.last?.contains("this reason") == true)
  }

  @Test func aNumber() {
    let completion = Completion<UInt32>(2, { heard("\($0) \($1) \($2)") })
    completion?.succeed(4)
    completion?.fail(VCXError(.notReady, ""))
    completion?.fail(VCXError(.notReady, ""), giving: 3)
    #expect(all() == ["2 0 4", "2 1005 0", "2 1005 3"])
  }

  @Test func aSearchAYesOrNoAndAPrice() {
    let search = Completion<Int32>(3, { heard("\($0) \($1) \($2)") })
    search?.succeed(7)
    search?.fail(VCXError(.notReady, ""))
    let answer = Completion<Bool>(4, { heard("\($0) \($1) \($2)") })
    answer?.succeed(true)
    answer?.fail(VCXError(.notReady, ""))
    let price = Completion<UInt64>(5, { heard("\($0) \($1) \($2)") })
    price?.succeed(1 << 40)
    price?.fail(VCXError(.notReady, ""))
    #expect(all() == ["3 0 7", "3 1005 0", "4 0 true", "4 1005 false", "5 0 1099511627776", "5 1005 0"])
  }

  @Test func bytesWithTheirLength() {
    let completion = Completion<[UInt8]>(
      6,
      { command, error, bytes, count in
        heard("\(command) \(error) \(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))")
      })
    completion?.succeed([9, 0, 8])
    completion?.fail(VCXError(.notReady, ""))
    #expect(all() == ["6 0 [9, 0, 8]", "6 1005 []"])
  }

  @Test func aNumberAndAText() {
    let completion = Completion<NumberAndText>(7, { heard("\($0) \($1) \($2)", $3) })
    completion?.succeed(NumberAndText(number: 5, text: "five"))
    completion?.succeed(NumberAndText(number: 5, text: nil))
    completion?.fail(VCXError(.notReady, ""), giving: NumberAndText(number: 2, text: nil))
    completion?.fail(VCXError(.notReady, ""))
    #expect(all() == ["7 0 5 five", "7 0 5 NULL", "7 1005 2 NULL", "7 1005 0 NULL"])
  }

  @Test func aDefinitionAndItsTransactions() {
    let completion = Completion<DefinitionTransactions>(
      8,
      { command, error, handle, definition, registry, entry in
        heard("\(command) \(error) \(handle)", definition, registry, entry)
      })
    completion?.succeed(DefinitionTransactions(handle: 6, definition: "d", registry: "r", registryEntry: "e"))
    completion?.succeed(DefinitionTransactions(handle: 6, definition: "d", registry: nil, registryEntry: nil))
    completion?.fail(VCXError(.notReady, ""))
    #expect(all() == ["8 0 6 d r e", "8 0 6 d NULL NULL", "8 1005 0 NULL NULL NULL"])
  }

  @Test func withoutACallbackThereIsNoCompletion() {
    #expect(Completion<String>(1, nil) == nil)
  }
}

private let lines = Locked<[String]>([])

private func heard(_ head: String, _ texts: CString?...) {
  let line = ([head] + texts.map { $0.map { String(cString: $0) } ?? "NULL" }).joined(separator: " ")
  lines.withLock { $0.append(line) }
}

private func all() -> [String] {
  lines.withLock { lines in
    defer { lines = [] }
    return lines
  }
}
