extension [JSONObject.Member] {
  /// Throws if a name occurs twice.
  func requireDistinctNames() throws(JSONError) {
    var names: Set<String> = []
    for (name, _) in self where !names.insert(name).inserted { throw .repeatedName(name) }
  }

  /// Of each repeated name, keeps the first place with the last value. Names are the same if their bytes are.
  ///
  /// Works in place, since peers may send a hundred thousand members.
  mutating func mergeRepeatedNames() {
    guard mayHaveRepeatedNames else { return }
    var repeated = giveLastValuesToFirstPlaces()[...]
    guard var end = repeated.first.map(Int.init) else { return }
    for index in end..<count {
      if repeated.first == UInt32(index) {
        repeated.removeFirst()
      } else {
        swapAt(end, index)
        end += 1
      }
    }
    removeSubrange(end...)
  }

  /// Whether a name may occur twice. For many members only their order can tell.
  private var mayHaveRepeatedNames: Bool {
    count > 16
      || indices.contains { later in self[..<later].contains { $0.key.isExactly(self[later].key) } }
  }

  /// Gives the last value of each name to its first place. Returns the later places, in order. They have 32 bits, since
  /// there may be many.
  private mutating func giveLastValuesToFirstPlaces() -> [UInt32] {
    var ordered: [UInt32] = (0..<UInt32(count)).map(\.self)
    ordered.sort { self[Int($0)].key.precedes(self[Int($1)].key, or: $0 < $1) }
    var repeated: [UInt32] = []
    var first = Int(ordered[0])
    for index in ordered.dropFirst() {
      if self[Int(index)].key.isExactly(self[first].key) {
        self[first].value = self[Int(index)].value
        repeated.append(index)
      } else {
        first = Int(index)
      }
    }
    repeated.sort()
    return repeated
  }
}

extension String {
  /// Whether the bytes come before the bytes of `other`; `isEarlier` decides for equal texts.
  func precedes(_ other: String, or isEarlier: Bool) -> Bool {
    var (own, others) = (utf8.makeIterator(), other.utf8.makeIterator())
    while true {
      switch (own.next(), others.next()) {
      case (nil, nil): return isEarlier
      case (nil, _?): return true
      case (_?, nil): return false
      case (let left?, let right?): if left != right { return left < right }
      }
    }
  }
}
