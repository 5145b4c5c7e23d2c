import VCX

/// A text that lives as long as the process. An `Input` reads its pointer later than the call that made it, when the
/// memory of a Swift string passed as a pointer is gone.
func constant(_ text: StaticString) -> CString {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Bytes that are no UTF-8, and a zero.
nonisolated(unsafe) let notUTF8: CString = {
  let memory = UnsafeMutablePointer<CChar>.allocate(capacity: 3)
  memory[0] = 0x61
  memory[1] = -1
  memory[2] = 0
  return UnsafePointer(memory)
}()
