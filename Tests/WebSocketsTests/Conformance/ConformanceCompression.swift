import CZlib
import Testing
import WebSocketCompression

@testable import WebSockets

/// An agreement on permessage-deflate, from which a server's messages are made.
struct ConformanceCompression: Sendable {
  /// The parameters that the server's field has besides the name of the extension, such as
  /// "; server_no_context_takeover".
  var parameters = ""
  /// Whether the client requires the server to compress each message by itself.
  var requiresSeparateMessages = false
  /// The size of the server's window, as the exponent of a power of two.
  var windowBits = 15

  /// What the client offers: it compresses every message that becomes shorter.
  var offer: WebSocketConfiguration.Compression {
    var offer = WebSocketConfiguration.Compression()
    offer.minimumLength = 1
    offer.retainsContext = !requiresSeparateMessages
    return offer
  }

  /// The server's field.
  var field: String { "permessage-deflate" + parameters }

  /// What the client makes of the server's field.
  func agreement() throws -> CompressionAgreement {
    try #require(try CompressionAgreement.select([field[...]], offered: offer))
  }

  /// Returns exchanges of messages, each compressed by the server and then divided into fragments.
  func exchanges(
    isBinary: Bool, _ payloads: [[UInt8]], fragmentLength: Int = .max
  ) throws -> [Exchange] {
    let deflater = try #require(
      ServerDeflater(windowBits: windowBits, retainsContext: try agreement().retainsContext))
    return payloads.map {
      Exchange(
        isBinary: isBinary, $0, fragmentLength: fragmentLength, reserved: 4, encoded: deflater.deflate($0))
    }
  }
}

/// Compresses the messages of a server, which may refer to earlier ones, unlike those of a client.
private final class ServerDeflater {
  private static let tailLength = 4

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let retainsContext: Bool

  /// Creates a deflater; nil for a window that zlib does not have without a header: it begins with 9.
  init?(windowBits: Int, retainsContext: Bool) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let code = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -CInt(windowBits), 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      CInt(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.stream = stream
    self.retainsContext = retainsContext
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Returns a message without the bytes that its receiver appends.
  func deflate(_ message: [UInt8]) -> [UInt8] {
    let capacity = Int(deflateBound(stream, UInt(message.count))) + 64
    let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
      message.withUnsafeBufferPointer { input in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        _ = CZlib.deflate(stream, Z_SYNC_FLUSH)
        count = output.count - Int(stream.pointee.avail_out)
      }
    }
    if !retainsContext { deflateReset(stream) }
    return Array(compressed.dropLast(Self.tailLength))
  }
}
