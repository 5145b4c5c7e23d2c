internal import Platform

/// Reports the state of the program to the service manager that started it (sd_notify(3)): systemd, for a unit of
/// `Type=notify`. Does nothing if there is no service manager.
enum ServiceManager {
  /// Sends `READY=1` or `STOPPING=1` as a datagram to the socket that the environment names. Ignores failures: the
  /// program runs in any case.
  static func notify(_ state: String) {
    guard let variable = unsafe getenv("NOTIFY_SOCKET") else { return }
    guard var address = address(of: unsafe String(cString: variable)) else { return }
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return }
    defer { close(file) }
    let message = Array(state.utf8)
    _ = unsafe withUnsafePointer(to: &address.socket) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe sendto(file, message, message.count, Int32(MSG_NOSIGNAL), $0, address.length)
      }
    }
  }

  /// A path, or after `@` a name in Linux' abstract namespace. Returns nil for other or overlong names.
  private static func address(of name: String) -> (socket: sockaddr_un, length: socklen_t)? {
    var socket = sockaddr_un()
    socket.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(name.utf8)
    guard ["/", "@"].contains(name.first), bytes.count < MemoryLayout.size(ofValue: socket.sun_path) else { return nil }
    if name.first == "@" { bytes[0] = 0 }
    unsafe withUnsafeMutableBytes(of: &socket.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let start = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: socket.sun_path)
    return (socket, socklen_t(start + bytes.count))
  }
}
