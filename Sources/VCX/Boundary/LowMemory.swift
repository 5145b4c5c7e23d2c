internal import Platform

/// Memory at addresses below 2 GiB if the system has free memory there, otherwise anywhere.
///
/// It holds texts that synchronous functions return. Programs that use ctypes without declaring a function's result
/// type get the address cut to 32 bits, with a sign.
struct LowMemory {
  private let start: UnsafeMutableRawPointer
  private let capacity: Int

  /// Allocates zeroed bytes, readable and writable. Returns nil when the system has no memory at all.
  init?(capacity: Int) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let size = (capacity + page - 1) / page * page
    guard let start = Self.lowPages(size) ?? Self.map(nil, size, 0) else { return nil }
    self.start = start
    self.capacity = size
  }

  /// Copies the text and a zero byte to the start of the memory. Returns nil when it does not fit.
  func store(_ text: some Collection<UInt8>) -> CString? {
    guard text.count < capacity else { return nil }
    let bytes = UnsafeMutableRawBufferPointer(start: start, count: capacity)
    bytes.copyBytes(from: text)
    bytes[text.count] = 0
    return UnsafePointer(start.assumingMemoryBound(to: CChar.self))
  }

  /// Makes the memory read-only; a later write is a fault.
  func protect() { mprotect(start, capacity, PROT_READ) }

  /// Gives the memory back; nothing may use it afterwards.
  func release() { munmap(start, capacity) }

  /// x86-64 has a flag for this memory. Without the flag, or if that range is full, tries a few addresses.
  private static func lowPages(_ size: Int) -> UnsafeMutableRawPointer? {
    #if arch(x86_64)
      if let pages = map(nil, size, MAP_32BIT) { return pages }
    #endif
    for address in stride(from: 0x1000_0000, to: 0x7000_0000, by: 0x0100_0000) {
      if let pages = map(UnsafeMutableRawPointer(bitPattern: address), size, MAP_FIXED_NOREPLACE) { return pages }
    }
    return nil
  }

  private static func map(_ address: UnsafeMutableRawPointer?, _ size: Int, _ flags: Int32)
    -> UnsafeMutableRawPointer?
  {
    let pages = mmap(address, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0)
    guard pages != MAP_FAILED, let pages else { return nil }
    if let address, pages != address {  // kernels before 4.17 treat the address as a hint
      munmap(pages, size)
      return nil
    }
    return pages
  }
}
