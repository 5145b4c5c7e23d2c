internal import CCurl
internal import Threading

/// Runs many transfers at a time on one thread, over libcurl's multi interface. The thread ends with the last transfer.
final class TransferLoop: @unchecked Sendable {
  // Only the loop's thread touches `running` and uses `multi`, which other threads may wake. So the class is Sendable.

  /// Runs on the loop's thread, so it must not block.
  typealias End = @Sendable (Transfer, CURLcode) -> Void

  private struct Entry {
    let transfer: Transfer
    let end: End
  }

  private struct State {
    var arrived: [Entry] = []
    var isRunning = false
  }

  private let curl: LibCurl
  private let multi: LibCurl.Multi
  private var running: [LibCurl.Handle: Entry] = [:]
  private let state = Locked(State())
  private let thread = Threads(limit: 1)

  init() throws(HTTPError) {
    do { curl = try LibCurl.open() } catch { throw .noLibrary(error) }
    guard let multi = curl.makeMulti() else { throw .noLibrary("it has no memory") }
    self.multi = multi
  }

  deinit { _ = curl.freeMulti(multi) }

  /// Starts a transfer that is prepared. `end` gets libcurl's result.
  func start(_ transfer: Transfer, then end: @escaping End) {
    let isFirst = state.withLock { state in
      state.arrived.append(Entry(transfer: transfer, end: end))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { thread.post { self.run() } } else { _ = curl.wake(multi) }
  }

  /// The milliseconds after which the loop looks for new transfers without a wake-up.
  private static let pause: Int32 = 1000

  private func run() {
    while takeArrived() {
      var count: Int32 = 0
      _ = curl.performAll(multi, &count)
      endFinished()
      if !running.isEmpty { _ = curl.poll(multi, nil, 0, Self.pause, nil) }
    }
  }

  /// Adds the new transfers. Returns false when no transfer is left: the thread then ends.
  private func takeArrived() -> Bool {
    let isIdle = running.isEmpty
    let arrived = state.withLock { state in
      defer { state.arrived = [] }
      if state.arrived.isEmpty, isIdle { state.isRunning = false }
      return state.arrived
    }
    for entry in arrived { add(entry) }
    return !arrived.isEmpty || !isIdle
  }

  private func add(_ entry: Entry) {
    let handle = entry.transfer.handle
    guard entry.transfer.refusal == CURLE_OK else { return entry.end(entry.transfer, entry.transfer.refusal) }
    guard curl.addTransfer(multi, handle) == CURLM_OK else { return entry.end(entry.transfer, CURLE_OUT_OF_MEMORY) }
    running[handle] = entry
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
