internal import CCurl
internal import Threading

/// Runs many transfers at a time on one thread, over libcurl's multi interface. The thread ends with the last transfer.
final class TransferLoop: @unchecked Sendable {
  // Only the loop's thread touches `running` and uses `multi`, which other threads may wake. So the class is Sendable.

  /// Runs on the loop's thread, so it must not block.
  typealias End = @Sendable (Transfer, CURLcode) -> Void

  private final class Entry: Sendable {
    let transfer: Transfer
    let end: End

    init(transfer: Transfer, end: @escaping End) { (self.transfer, self.end) = (transfer, end) }
  }

  private struct State {
    var arrived: [Entry] = []
    /// Transfers to end before their time. Some may have ended already.
    var cancelled: [Entry] = []
    var isRunning = false
  }

  private let curl: LibCurl
  private let multi: LibCurl.Multi
  /// The milliseconds after which the loop looks for new transfers without a wake-up. A request may wait for its answer, and
  /// the process should sleep meanwhile.
  private let pause: Int32
  private var running: [LibCurl.Handle: Entry] = [:]
  private let state = Locked(State())
  private let thread = Threads(limit: 1)

  init() throws(HTTPError) {
    do { curl = try LibCurl.open() } catch { throw .noLibrary(error) }
    guard let multi = curl.makeMulti() else { throw .noLibrary("it has no memory") }
    self.multi = multi
    // Without a descriptor for wake-ups, libcurl cannot be woken.
    pause = curl.wake(multi) == CURLM_OK ? 60_000 : 1000
  }

  deinit { _ = curl.freeMulti(multi) }

  /// Starts a transfer that is prepared. `end` gets libcurl's result. Returns a function that ends the transfer.
  func start(_ transfer: Transfer, then end: @escaping End) -> @Sendable () -> Void {
    let entry = Entry(transfer: transfer, end: end)
    let isFirst = state.withLock { state in
      state.arrived.append(entry)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { thread.post { self.run() } } else { _ = curl.wake(multi) }
    return { self.cancel(entry) }
  }

  private func cancel(_ entry: Entry) {
    state.withLock { if $0.isRunning { $0.cancelled.append(entry) } }
    _ = curl.wake(multi)
  }

  private func run() {
    while takeArrived() {
      var count: Int32 = 0
      _ = curl.performAll(multi, &count)
      endFinished()
      if !running.isEmpty { _ = curl.poll(multi, nil, 0, pause, nil) }
    }
  }

  /// Adds the new transfers. Returns false when no transfer is left: the thread then ends.
  private func takeArrived() -> Bool {
    let isIdle = running.isEmpty
    let (arrived, cancelled) = state.withLock { state in
      defer { (state.arrived, state.cancelled) = ([], []) }
      if state.arrived.isEmpty, isIdle { state.isRunning = false }
      return (state.arrived, state.cancelled)
    }
    for entry in arrived { add(entry) }
    for entry in cancelled { end(entry) }
    return !arrived.isEmpty || !isIdle
  }

  private func add(_ entry: Entry) {
    let handle = entry.transfer.handle
    guard entry.transfer.refusal == CURLE_OK else { return entry.end(entry.transfer, entry.transfer.refusal) }
    guard curl.addTransfer(multi, handle) == CURLM_OK else { return entry.end(entry.transfer, CURLE_OUT_OF_MEMORY) }
    running[handle] = entry
  }

  /// Ends a transfer before its time, unless it has ended.
  private func end(_ entry: Entry) {
    let handle = entry.transfer.handle
    guard running[handle] === entry else { return }
    running[handle] = nil
    _ = curl.removeTransfer(multi, handle)
    entry.end(entry.transfer, CURLE_ABORTED_BY_CALLBACK)
  }

  private func endFinished() {
    var left: Int32 = 0
    while let message = curl.nextEnd(multi, &left) {
      // libcurl frees the message with the transfer's removal.
      let (handle, code) = (message.pointee.easy_handle, message.pointee.data.result)
      guard message.pointee.msg == CURLMSG_DONE, let handle else { continue }
      _ = curl.removeTransfer(multi, handle)
      guard let entry = running.removeValue(forKey: handle) else { continue }
      entry.end(entry.transfer, code)
    }
  }
}
