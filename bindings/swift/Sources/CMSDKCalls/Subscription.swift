internal import CMSDK
import Synchronization

/// The readers of new messages, by command handle. A C callback captures nothing.
private let readers = Mutex(
  (last: vcx_command_handle_t(0), streams: [vcx_command_handle_t: AsyncStream<String>.Continuation]()))

extension Call {
  /// The messages that the library tells of, each as JSON text: the unread ones, and then each new one. The end of the reading
  /// task, or of its loop, ends the subscription.
  public static func messages() throws(MSDKError) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    // Before the call: the callback may come before the function has returned.
    let handle = readers.withLock { readers in
      readers.last &+= 1
      readers.streams[readers.last] = continuation
      return readers.last
    }
    let refused = forAgent {
      msdk_messages_subscribe(handle) { handle, _, text in
        let reader = readers.withLock { $0.streams[handle] }
        if let text { reader?.yield(String(cString: text)) }
      }
    }
    guard refused == VCX_SUCCESS.rawValue else {
      _ = readers.withLock { $0.streams.removeValue(forKey: handle) }
      throw MSDKError(current: refused)
    }
    continuation.onTermination = { [agent] _ in
      _ = $agent.withValue(agent) { forAgent { msdk_messages_unsubscribe(handle) } }
      _ = readers.withLock { $0.streams.removeValue(forKey: handle) }
    }
    return stream
  }
}
