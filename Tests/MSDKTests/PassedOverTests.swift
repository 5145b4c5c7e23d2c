import Testing

@testable import MSDK

@Suite struct PassedOverTests {
  @Test func soManyIDsAreRememberedAndNoMore() {
    var passedOver = PassedOver()
    #expect(passedOver.isEmpty)
    for number in 0..<10_001 { passedOver.insert("\(number)") }
    #expect(passedOver.contains("0") && passedOver.contains("9999") && !passedOver.contains("10000"))
    passedOver.keep(only: ["1", "unknown"])
    #expect(passedOver.contains("1") && !passedOver.contains("0") && !passedOver.contains("unknown"))
    passedOver.insert("10000")
    #expect(passedOver.contains("10000"), "there is room again")
  }

  @Test func aLongIDIsNotRemembered() {
    var passedOver = PassedOver()
    passedOver.insert(String(repeating: "x", count: 129))
    #expect(passedOver.isEmpty)
    passedOver.insert(String(repeating: "x", count: 128))
    #expect(!passedOver.isEmpty)
  }
}
