import Testing

@testable import Threading

@Suite struct BoundedMemoryTests {
  private var memory = BoundedMemory<String, Int>(limit: 10)

  @Test mutating func theOldestValuesMakeRoom() {
    for (value, key) in ["a", "b", "c"].enumerated() { memory.keep(value, for: key, weight: 3) }
    memory.keep(3, for: "d", weight: 4)
    #expect(memory["a"] == nil && memory["b"] == 1 && memory["c"] == 2 && memory["d"] == 3)
    memory.keep(4, for: "e", weight: 10)
    #expect(["b", "c", "d"].allSatisfy { memory[$0] == nil } && memory["e"] == 4)
  }

  @Test mutating func aValueOfTheSameKeyIsReplacedAndTheNewest() {
    memory.keep(0, for: "a", weight: 5)
    memory.keep(1, for: "b", weight: 5)
    memory.keep(2, for: "a", weight: 5)
    #expect(memory["a"] == 2 && memory["b"] == 1)
    memory.keep(3, for: "c", weight: 5)
    #expect(memory["a"] == 2 && memory["b"] == nil && memory["c"] == 3)
  }

  @Test mutating func aValueThatIsTooHeavyIsNotRemembered() {
    memory.keep(0, for: "a", weight: 5)
    memory.keep(1, for: "b", weight: 11)
    #expect(memory["a"] == 0 && memory["b"] == nil)
    memory.keep(2, for: "a", weight: 11)
    #expect(memory["a"] == nil)
  }

  @Test mutating func aRemovedValueWeighsNothing() {
    memory.keep(0, for: "a", weight: 6)
    #expect(memory.remove("a") == 0 && memory.remove("a") == nil)
    memory.keep(1, for: "b", weight: 6)
    memory.keep(2, for: "c", weight: 4)
    #expect(memory["b"] == 1 && memory["c"] == 2)
  }
}
