import CZlib
import Synchronization
public import WebSockets

/// Compresses messages, each by itself (RFC 7692, section 7.2.1).
///
/// A message that is compressed and then not sent, because its task was cancelled, thus has no effect on the
/// next one. It may be used by several tasks, of which each waits for the others.
final class MessageDeflater: MessageDeflating {
  private let minimumLength: Int
  private let stream: Mutex<DeflateStream>

  /// Creates a deflater, which takes about 256 KiB; nil if there is no memory.
  ///
  /// - Parameter minimumLength: The length of the shortest message that is compressed.
  init?(minimumLength: Int) {
    guard let stream = DeflateStream() else { return nil }
    self.minimumLength = minimumLength
    self.stream = Mutex(stream)
  }

  // Nil for a short message, and for one that compressing doesn't make shorter.
  func deflate(_ message: [UInt8]) -> [UInt8]? {
    guard message.count >= max(minimumLength, 1), message.count <= Int(UInt32.max) / 2 else { return nil }
    return stream.withLock { $0.deflate(message) }
  }
}

/// zlib's state, which is reset after each message.
@safe
private struct DeflateStream: ~Copyable {
  /// What ends a message after it was flushed, and is not sent.
  private static let tailLength = 4
  private static let memoryLevel: CInt = 8

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>

  init?() {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    // Negative: without a header. 15 is the largest window.
    let code = unsafe deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, Self.memoryLevel, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      size)
    guard code == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    _ = unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses a message into fewer bytes than it has; nil if that is not possible.
  func deflate(_ message: [UInt8]) -> [UInt8]? {
    let stream = unsafe stream
    defer { _ = unsafe deflateReset(stream) }
    var isWhole = false
    // The tail is written, too, before it is removed.
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: message.count + Self.tailLength) {
      output, count in
      unsafe message.withUnsafeBufferPointer { input in
        // zlib only reads next_in, which is not const in its default build.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let code = unsafe CZlib.deflate(stream, Z_SYNC_FLUSH)
        // If the output was filled, more may follow.
        isWhole = unsafe code == Z_OK && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        count = unsafe output.count - Int(stream.pointee.avail_out)
      }
    }
    guard isWhole, compressed.count >= Self.tailLength else { return nil }
    let length = compressed.count - Self.tailLength
    return length < message.count ? Array(compressed[..<length]) : nil
  }
}

extension WebSocketConfiguration.Compression {
  /// Creates the default compression, by zlib.
  public init() { self.init(by: ZlibMessageCompressor.self) }
}

/// zlib, with one state per connection and direction.
enum ZlibMessageCompressor: MessageCompressor {
  static func makeDeflater(minimumLength: Int) -> (any MessageDeflating)? {
    MessageDeflater(minimumLength: minimumLength)
  }

  static func makeInflater(retainsContext: Bool) -> (any MessageInflating)? {
    MessageInflater(retainsContext: retainsContext)
  }
}
