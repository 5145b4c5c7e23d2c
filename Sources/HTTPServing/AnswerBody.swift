internal import CMicroHTTPD

/// The body of a long answer. libmicrohttpd takes it piece by piece while it sends, so that there is no second copy.
final class AnswerBody {
  private let bytes: [UInt8]

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// libmicrohttpd copies bodies up to this length, to send them together with the header. Longer bodies go in pieces
  /// of this length.
  private static let piece = 32 << 10

  /// A response with this body. The caller destroys it. Returns nil if the system has no memory left.
  static func response(_ bytes: [UInt8]) -> OpaquePointer? {
    guard bytes.count > piece else {
      return bytes.withUnsafeBytes {
        MHD_create_response_from_buffer($0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
      }
    }
    let body = Unmanaged.passRetained(AnswerBody(bytes))
    let response = MHD_create_response_from_callback(
      UInt64(bytes.count), piece, readAnswer, body.toOpaque(), releaseAnswer)
    if response == nil { body.release() }
    return response
  }

  /// Copies the bytes from `position` on, as many as fit. Returns their number.
  fileprivate func read(from position: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = bytes.dropFirst(Int(position)).prefix(buffer.count)
    buffer.copyBytes(from: piece)
    return piece.count
  }
}

/// A callback of libmicrohttpd for the next piece.
private func readAnswer(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, size: Int
) -> Int {
  guard let context else { return 0 }
  let body = Unmanaged<AnswerBody>.fromOpaque(context).takeUnretainedValue()
  return body.read(from: position, into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// A callback of libmicrohttpd for the end of the response.
private func releaseAnswer(context: UnsafeMutableRawPointer?) {
  if let context { Unmanaged<AnswerBody>.fromOpaque(context).release() }
}
