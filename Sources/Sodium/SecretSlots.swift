internal import CSodium
internal import Threading

/// Locked memory for small secrets, many to a region.
///
/// A region for each key would cost several system calls and four mappings, and a process may have only some ten
/// thousand mappings. Regions have guard pages around them and are kept; a slot is wiped when it is given back. If the
/// system has no more locked memory, a region of ordinary memory serves.
enum SecretSlots {
  static let size = 64
  private static let perRegion = 256

  /// The addresses of the free slots.
  private static let free = Locked<[UInt]>([])

  static func take() -> UnsafeMutableRawPointer {
    let address = free.withLock { free in
      if free.isEmpty { free = makeRegion() }
      return free.removeLast()
    }
    guard let slot = UnsafeMutableRawPointer(bitPattern: address) else { preconditionFailure("slots have addresses") }
    return slot
  }

  static func giveBack(_ slot: UnsafeMutableRawPointer) {
    sodium_memzero(slot, size)
    let address = UInt(bitPattern: slot)
    free.withLock { $0.append(address) }
  }

  private static func makeRegion() -> [UInt] {
    let region = sodium_allocarray(perRegion, size) ?? .allocate(byteCount: perRegion * size, alignment: 16)
    return (0..<perRegion).map { UInt(bitPattern: region + $0 * size) }
  }
}
