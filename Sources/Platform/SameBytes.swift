extension Span where Element == UInt8 {
  /// Whether both have the same bytes. Compares them together, not one after the other.
  package func hasSameBytes(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { own in
      other.withUnsafeBytes { other in
        guard let own = own.baseAddress, let start = other.baseAddress else { return true }
        return memcmp(own, start, other.count) == 0
      }
    }
  }
}
