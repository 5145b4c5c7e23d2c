import Testing
import Threading

@Suite struct QueueTests {
  @Test func elementsLeaveInTheOrderInWhichTheyCame() {
    var queue = Queue<Int>()
    var (next, expected) = (0, 0)
    for round in 0..<200 {
      for _ in 0..<(round * 7 % 5) {
        queue.append(next)
        next += 1
      }
      for _ in 0..<(round * 3 % 4) {
        guard let first = queue.popFirst() else { break }
        #expect(first == expected)
        expected += 1
      }
      #expect(queue.count == next - expected)
    }
    while let first = queue.popFirst() {
      #expect(first == expected)
      expected += 1
    }
    #expect(expected == next && queue.isEmpty)
  }

  @Test func aRemovedElementIsReleased() {
    final class Object {}
    var queue = Queue<Object>()
    for _ in 0..<10 { queue.append(Object()) }
    weak var taken: Object?
    do {
      let object = queue.popFirst()
      taken = object
      #expect(taken != nil)
    }
    #expect(taken == nil)
    #expect(queue.count == 9)
  }
}
