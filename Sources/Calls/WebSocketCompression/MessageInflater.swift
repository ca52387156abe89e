import CZlib
import WebSockets

/// Decompresses the messages of one connection (RFC 7692, section 7.2.2).
///
/// It is used by one task at a time. After a fault it must not be used again.
@safe
final class MessageInflater: MessageInflating {
  /// The bytes that a sender removes from the end of each message.
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
  /// What zlib's `data_type` contains between two blocks.
  private static let isBetweenBlocks: CInt = 128
  private static let pieceLength = 16 << 10
  private static let windowLength = 32 << 10
  /// The maximum number of blocks of a message that are marked as the last one: continuing after one copies
  /// the window, which would let two bytes cost much time.
  private static let maximumLastBlocks = 64

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let retainsContext: Bool
  /// The number of blocks of the present message that were marked as the last one.
  private var lastBlocks = 0

  /// Creates an inflater; nil if there is no memory.
  ///
  /// - Parameter retainsContext: Whether a message may refer to earlier ones.
  init?(retainsContext: Bool) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    // Negative: without a header. 15 is the largest window, which reads smaller ones, too.
    guard unsafe inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.stream = stream
    self.retainsContext = retainsContext
  }

  deinit {
    _ = unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  func inflate(_ part: ArraySlice<UInt8>, limit: Int) throws(ProtocolFault) -> [UInt8] {
    var message: [UInt8] = []
    var rest = part
    while true {
      let (consumed, piece) = try step(rest)
      rest = rest.dropFirst(consumed)
      guard piece.count <= limit - message.count else { throw .tooLarge("message", limit: limit) }
      message += piece
      if rest.isEmpty, piece.count < Self.pieceLength { return message }
    }
  }

  func finish(limit: Int) throws(ProtocolFault) -> [UInt8] {
    let rest = try inflate(Self.tail[...], limit: limit)
    guard unsafe stream.pointee.data_type & Self.isBetweenBlocks != 0 else { throw .invalidCompression }
    lastBlocks = 0
    if !retainsContext, unsafe inflateReset(stream) != Z_OK { throw .invalidCompression }
    return rest
  }

  /// Decompresses into one piece.
  private func step(_ input: ArraySlice<UInt8>) throws(ProtocolFault) -> (consumed: Int, piece: [UInt8]) {
    let stream = unsafe stream
    let offered = min(input.count, Int(UInt32.max))
    var code = Z_OK
    let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { output, count in
      unsafe input.withUnsafeBufferPointer { input in
        // zlib only reads next_in, which is not const in its default build.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(offered)
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        code = unsafe CZlib.inflate(stream, Z_SYNC_FLUSH)
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
        count = unsafe output.count - Int(stream.pointee.avail_out)
      }
    }
    let consumed = unsafe offered - Int(stream.pointee.avail_in)
    switch code {
    // Z_BUF_ERROR: no progress was possible.
    case Z_OK, Z_BUF_ERROR: break
    case Z_STREAM_END: try beginAgain()
    default: throw .invalidCompression
    }
    return (consumed, piece)
  }

  /// Continues after a block that is marked as the last one, which a message may contain (RFC 7692, section
  /// 7.2.3.4), with the window that came before.
  private func beginAgain() throws(ProtocolFault) {
    lastBlocks += 1
    guard lastBlocks <= Self.maximumLastBlocks else { throw .invalidCompression }
    let stream = unsafe stream
    var length: UInt32 = 0
    let window = unsafe [UInt8](unsafeUninitializedCapacity: Self.windowLength) { output, count in
      guard unsafe inflateGetDictionary(stream, output.baseAddress, &length) == Z_OK else { return }
      count = Int(length)
    }
    let isReset = unsafe inflateReset(stream) == Z_OK
    let isRestored = unsafe window.withUnsafeBufferPointer {
      unsafe inflateSetDictionary(stream, $0.baseAddress, UInt32($0.count)) == Z_OK
    }
    guard isReset, isRestored else { throw .invalidCompression }
  }
}
