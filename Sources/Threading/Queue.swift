/// First in, first out. What is taken out is let go of at once: an `ArraySlice` would keep it until it grows again, and
/// with it whatever the element holds.
package struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { slots.count - head }
  package var isEmpty: Bool { count == 0 }

  /// The element that is taken out next.
  package var first: Element? { head < slots.count ? slots[head] : nil }

  package mutating func append(_ element: Element) { slots.append(element) }

  package mutating func popFirst() -> Element? {
    guard head < slots.count else { return nil }
    let element = slots[head].take()
    head += 1
    if head * 2 > slots.count {  // on the average, each element is moved at most once
      slots.removeFirst(head)
      head = 0
    }
    return element
  }
}
