/// First in, first out. It releases a removed element immediately: an `ArraySlice` would keep the element, and
/// everything that it refers to, until the slice grows again.
package struct Queue<Element> {
  private var slots: [Element?] = []
  private var head = 0

  package init() {}

  package var count: Int { slots.count - head }
  package var isEmpty: Bool { count == 0 }

  /// The next element.
  package var first: Element? { head < slots.count ? slots[head] : nil }

  /// The element at this offset from the first, which the caller guarantees to exist.
  subscript(offset: Int) -> Element {
    get {
      guard let element = slots[head + offset] else { preconditionFailure("there is no such element") }
      return element
    }
    set { slots[head + offset] = newValue }
  }

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

extension Queue: Sendable where Element: Sendable {}
