import CCurlShims
import CLibcurl

/// A connection that libcurl opened with `CURLOPT_CONNECT_ONLY`, with its TLS and through its proxies.
///
/// Its handle stays in the multi handle: libcurl closes the connection when it is removed. It never leaves
/// the loop's thread, and no call blocks.
@safe
final class RawSocket {
  /// What came of receiving or sending.
  enum Progress {
    /// The number of bytes; 0 were received if the peer has closed its side.
    case moved(Int)
    /// The system has no bytes, or no room for any.
    case blocked
    case failed(CURLcode)
  }

  /// The maximum number of bytes that are received, or wait here, at a time.
  static let bufferSize = 16 << 10

  let descriptor: CInt
  private let easy: EasyHandle
  // OpenSSL requires that a write which would block is repeated with the same memory.
  private var staged = unsafe UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var stagedRange = 0..<0

  /// Takes over the connection of a handle; nil if it has none.
  init?(_ easy: EasyHandle) {
    descriptor = unsafe switchyard_easy_get_socket(easy.pointer)
    guard descriptor >= 0 else { return nil }
    self.easy = easy
  }

  deinit { unsafe staged.deallocate() }

  /// Sets the options that make libcurl open a connection of its own and send nothing over it.
  static func prepare(_ easy: EasyHandle, tunnels: Bool) throws(CurlError) {
    try easy.set(CURLOPT_CONNECT_ONLY, true)
    // The upgrade is one of HTTP/1.1; over HTTP/2 it would be an extended CONNECT (RFC 8441).
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try easy.set(CURLOPT_FRESH_CONNECT, true)
    // A proxy that forwards requests would not forward another protocol.
    if tunnels { try easy.set(CURLOPT_HTTPPROXYTUNNEL, true) }
  }

  /// Receives bytes and appends them to `bytes`.
  ///
  /// An idle connection has no buffers, because there may be many of them.
  func receive(into bytes: inout [UInt8]) -> Progress {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.bufferSize) { buffer in
      var count = 0
      let code = unsafe curl_easy_recv(easy.pointer, buffer.baseAddress, buffer.count, &count)
      guard code == CURLE_OK else { return code == CURLE_AGAIN ? .blocked : .failed(code) }
      unsafe bytes.append(contentsOf: buffer[..<count])
      return .moved(count)
    }
  }

  /// Sends bytes from `offset` on; returns how many were taken, of which some may wait in this socket.
  func send(_ bytes: [UInt8], from offset: Int) -> Progress {
    var taken = 0
    if stagedRange.isEmpty, offset < bytes.count {
      let piece = bytes[offset...].prefix(Self.bufferSize)
      taken = piece.count
      unsafe staged = .allocate(capacity: taken)
      _ = unsafe staged.initialize(fromContentsOf: piece)
      stagedRange = 0..<taken
    }
    var count = 0
    let start = unsafe staged.baseAddress?.advanced(by: stagedRange.lowerBound)
    let code = unsafe curl_easy_send(easy.pointer, start, stagedRange.count, &count)
    guard code == CURLE_OK || code == CURLE_AGAIN else { return .failed(code) }
    if code == CURLE_OK { stagedRange = (stagedRange.lowerBound + count)..<stagedRange.upperBound }
    if stagedRange.isEmpty {
      unsafe staged.deallocate()
      unsafe staged = UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    return taken > 0 ? .moved(taken) : stagedRange.isEmpty ? .moved(0) : .blocked
  }

  /// Whether bytes wait in this socket, which the system had no room for.
  var hasStaged: Bool { !stagedRange.isEmpty }

  /// The error for a result.
  func error(_ code: CURLcode) -> CurlError { easy.error(code) }
}
