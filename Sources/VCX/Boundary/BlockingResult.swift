internal import Platform

/// The texts that blocking functions return, one per thread. A text is valid until the thread's next blocking call.
enum BlockingResult {
  /// Keeps the text for the calling thread and returns a pointer to it. Returns nil when there is no memory.
  static func keep(_ text: String) -> UnsafeMutablePointer<CChar>? {
    release(pthread_getspecific(key))
    pthread_setspecific(key, nil)
    guard let memory = LowMemory(capacity: text.utf8.count + 1) else { return nil }
    let box = UnsafeMutablePointer<LowMemory>.allocate(capacity: 1)
    box.initialize(to: memory)
    pthread_setspecific(key, box)
    return memory.store(text.utf8).map { UnsafeMutablePointer(mutating: $0) }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { BlockingResult.release($0) }
    precondition(result == 0, "the process has no thread-specific keys left")
    return key
  }()

  private static func release(_ pointer: UnsafeMutableRawPointer?) {
    guard let box = pointer?.assumingMemoryBound(to: LowMemory.self) else { return }
    box.pointee.release()
    box.deinitialize(count: 1)
    box.deallocate()
  }
}

/// Runs a blocking function that returns a text. Returns nil on an error, which becomes the thread's current error.
func answer<each Argument>(
  _ inputs: repeat Input<each Argument>, function: StaticString = #function,
  body: (repeat each Argument) throws -> String
) -> UnsafeMutablePointer<CChar>? {
  let call = Call.begin(function)
  do {
    let arguments = (repeat try (each inputs).decode())
    let text = try body(repeat each arguments)
    guard let pointer = BlockingResult.keep(text) else { throw VCXError(.unknownError, "no memory for the result") }
    call?.succeed(giving: ())
    return pointer
  } catch {
    let error = VCXError(error)
    call?.fail(error)
    CurrentError.set(error)
    return nil
  }
}
