internal import CCurl
package import Platform
internal import Threading

/// A connection to a server, for a protocol that begins as HTTP/1.1 and goes on with its own: TCP or TLS, through a proxy
/// where the environment names one. `HTTPClient.stream` makes it.
///
/// One thread opens it. Then one thread may receive while others send. Any thread may cancel it at any time.
package final class ServerStream: @unchecked Sendable {
  // The channel's lock guards the handle. All calls to libcurl under it return at once, so the class is Sendable.
  private let curl: LibCurl
  private let transfer: Transfer
  private let multi: LibCurl.Multi
  private let signal: StopSignal
  private let origin: String
  private let channel = Locked(Channel())

  /// The time limit of the client, in milliseconds.
  private let limit: Int

  /// The time limit in milliseconds for opening, or for a `send` that begins now: the limit of the client, or the time that is
  /// left for the work of this thread.
  package var milliseconds: Int { Deadline.milliseconds(atMost: limit) }

  init(_ transfer: Transfer, milliseconds: Int, named origin: String) throws(HTTPError) {
    do { curl = try LibCurl.open() } catch { throw .noLibrary(error) }
    guard let signal = StopSignal(), let multi = curl.makeMulti() else { throw .noLibrary("it has no memory") }
    self.multi = multi
    self.signal = signal
    self.transfer = transfer
    limit = milliseconds
    self.origin = origin
  }

  deinit {
    _ = curl.removeTransfer(multi, transfer.handle)
    _ = curl.freeMulti(multi)
  }

  /// Whether `cancel` was called.
  package var isCancelled: Bool { signal.isRaised }

  /// Ends all calls that wait, now and later: they throw `unreachable`. The connection closes with the last reference.
  package func cancel() {
    signal.raise()
    _ = curl.wake(multi)
  }

  /// Connects, with TLS if the URL demands it. The connection stays in libcurl's multi interface, which `cancel` can
  /// wake.
  package func open() throws(HTTPError) {
    guard transfer.refusal == CURLE_OK else { throw transfer.error(transfer.refusal) }
    guard curl.addTransfer(multi, transfer.handle) == CURLM_OK else { throw transfer.error(CURLE_OUT_OF_MEMORY) }
    let code = try connected()
    guard code == CURLE_OK else { throw transfer.error(code).beforeRequest }
    var socket: curl_socket_t = -1
    msdk_curl_get_socket(curl.get, transfer.handle, CURLINFO_ACTIVESOCKET, &socket)
    channel.withLock { $0.socket = socket }
  }

  /// libcurl's result, which comes within the time limit.
  private func connected() throws(HTTPError) -> CURLcode {
    while true {
      if isCancelled { throw lost("the connection was cancelled") }
      var count: Int32 = 0
      _ = curl.performAll(multi, &count)
      if let message = curl.nextEnd(multi, &count), message.pointee.msg == CURLMSG_DONE {
        return message.pointee.data.result
      }
      _ = curl.poll(multi, nil, 0, 1000, nil)
    }
  }

  /// Sends bytes after the waiting bytes, without blocking: the rest leaves while a thread sends or receives. With
  /// `isAnswer` the server has made this side send them: while many answers wait, nothing is received. Returns the
  /// position behind these bytes, for `flush`.
  @discardableResult
  package func queue(_ bytes: [UInt8], isAnswer: Bool = false) -> Int {
    channel.withLock { channel in
      let position = channel.queue(bytes, isAnswer: isAnswer)
      // The next call meets the same failure, and throws it.
      _ = try? self.sendWaiting(&channel)
      return position
    }
  }

  /// Waits until everything up to this position has left.
  package func flush(upTo position: Int) throws(HTTPError) {
    let end = MonotonicTime.now.after(milliseconds: milliseconds)
    while true {
      let isSent = try channel.withLock { channel throws(HTTPError) in
        try self.sendWaiting(&channel)
        return channel.sent >= position
      }
      if isSent { return }
      guard try wait(for: POLLOUT, until: end) else { throw lost("the server takes no more bytes") }
    }
  }

  /// Sends all bytes, after the waiting bytes.
  package func send(_ bytes: [UInt8]) throws(HTTPError) { try flush(upTo: queue(bytes)) }

  /// The highest number of bytes that one `receive` returns.
  private static let pieceSize = 64 << 10

  /// The next bytes, at most 64 KB; empty at the end of the stream; nil if none has come by the deadline. Returns bytes
  /// that have come already even if the deadline has passed.
  package func receive(until deadline: MonotonicTime) throws(HTTPError) -> [UInt8]? {
    while true {
      let (piece, isWaiting, isBlocked) = try channel.withLock { channel throws(HTTPError) in
        // A connection that takes no more bytes may still have bytes of the server, which are returned first.
        let sending = Result { () throws(HTTPError) in try self.sendWaiting(&channel) }
        let isBlocked = channel.hasManyAnswers
        let piece = isBlocked ? nil : try self.received()
        if piece == nil { try sending.get() }
        return (piece, !channel.waiting.isEmpty, isBlocked)
      }
      if let piece { return piece }
      let events = (isBlocked ? 0 : POLLIN) | (isWaiting ? POLLOUT : 0)
      guard try wait(for: events, until: deadline) else { return nil }
    }
  }

  /// The bytes that libcurl has; nil if none has come yet. The caller holds the lock.
  private func received() throws(HTTPError) -> [UInt8]? {
    var code = CURLE_OK
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      code = curl.receive(transfer.handle, buffer.baseAddress, buffer.count, &count)
      if code != CURLE_OK { count = 0 }
    }
    switch code {
    case CURLE_OK: return bytes
    case CURLE_AGAIN: return nil
    default: throw transfer.error(code)
    }
  }

  /// Sends as much of the queue as the connection takes. The caller holds the lock.
  ///
  /// OpenSSL demands that an interrupted write is repeated with the same bytes at the same address: the bytes of the
  /// queue's first element.
  private func sendWaiting(_ channel: inout Channel) throws(HTTPError) {
    guard channel.socket >= 0 else { throw lost("the connection is not open") }
    while let first = channel.waiting.first {
      var count = 0
      let code = first.bytes.withUnsafeBytes {
        curl.send(transfer.handle, $0.baseAddress.map { $0 + channel.offset }, $0.count - channel.offset, &count)
      }
      if code == CURLE_AGAIN { return }
      guard code == CURLE_OK else { throw transfer.error(code) }
      channel.advance(by: count)
    }
  }

  /// Returns false at the deadline.
  private func wait(for events: Int32, until deadline: MonotonicTime) throws(HTTPError) -> Bool {
    let socket = channel.withLock { $0.socket }
    let isReady = signal.wait(
      for: Int16(events), of: socket, milliseconds: Int32(clamping: deadline.millisecondsLeft))
    if isCancelled { throw lost("the connection was cancelled") }
    return isReady
  }

  private func lost(_ reason: String) -> HTTPError { .unreachable("\(origin): \(reason)") }
}

extension ServerStream {
  /// The connection's socket, and the bytes that wait to be sent.
  private struct Channel {
    var socket: Int32 = -1
    var waiting: [(bytes: [UInt8], isAnswer: Bool)] = []
    /// The number of bytes of the first element that have left.
    var offset = 0
    /// The number of bytes that were queued, and of bytes that have left.
    var queued = 0
    var sent = 0
    var answers = 0

    /// If more bytes of answers wait, nothing is received.
    private static let maximumAnswers = 64 << 10

    var hasManyAnswers: Bool { answers > Self.maximumAnswers }

    mutating func queue(_ bytes: [UInt8], isAnswer: Bool) -> Int {
      guard !bytes.isEmpty else { return queued }
      waiting.append((bytes, isAnswer))
      queued += bytes.count
      if isAnswer { answers += bytes.count }
      return queued
    }

    mutating func advance(by count: Int) {
      sent += count
      offset += count
      guard let first = waiting.first, offset == first.bytes.count else { return }
      if first.isAnswer { answers -= first.bytes.count }
      waiting.removeFirst()
      offset = 0
    }
  }
}
