import Testing

@testable import VCX

@Suite struct InputTests {
  @Test func aRequiredTextIsThereAndNotEmptyAndUTF8() throws {
    #expect(try text(constant("Zoë")).decode() == "Zoë")
    #expect(throws: VCXError(.invalidOption, "a required text is NULL")) { try text(nil).decode() }
    #expect(throws: VCXError(.invalidOption, "a required text is empty")) { try text(constant("")).decode() }
    #expect(throws: VCXError(.invalidOption, "a text is not UTF-8")) { try text(notUTF8).decode() }
    #expect(try text(constant(""), allowingEmpty: true).decode() == "")
    #expect(throws: VCXError(.invalidConfiguration, "a required text is NULL")) {
      try text(nil, absent: .invalidConfiguration).decode()
    }
  }

  @Test func anOptionalTextMayBeAbsentOrEmptyButIsUTF8() throws {
    #expect(try optionalText(nil).decode() == nil)
    #expect(try optionalText(constant("")).decode() == "")
    #expect(throws: VCXError.self) { try optionalText(notUTF8).decode() }
  }

  @Test func anOptionalTextThatIsThereMayHaveToSaySomething() throws {
    #expect(try optionalNonEmptyText(nil).decode() == nil)
    #expect(try optionalNonEmptyText(constant("MS-103")).decode() == "MS-103")
    #expect(throws: VCXError(.invalidOption, "a required text is empty")) {
      try optionalNonEmptyText(constant("")).decode()
    }
    #expect(throws: VCXError.self) { try optionalNonEmptyText(notUTF8).decode() }
  }

  @Test func bytesAreThereAndNotNone() throws {
    let memory: [UInt8] = [1, 0, 255]
    #expect(try memory.withUnsafeBufferPointer { try bytes($0.baseAddress, 3).decode() } == memory)
    #expect(throws: VCXError.self) { try memory.withUnsafeBufferPointer { try bytes($0.baseAddress, 0).decode() } }
    #expect(throws: VCXError.self) { try bytes(nil, 3).decode() }
  }

  @Test func aMappedInputTellsWhatTheMapSays() throws {
    let number = text(constant("12")).map { text in
      guard let number = UInt64(text) else { throw VCXError(.invalidOption, "not a number") }
      return number
    }
    #expect(try number.decode() == 12)
    #expect(throws: VCXError(.invalidOption, "a required text is NULL")) { try text(nil).map { $0.count }.decode() }
  }
}
