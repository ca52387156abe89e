/// The type of a frame (RFC 6455, section 5.2).
enum FrameType: UInt8, Sendable, Hashable, CaseIterable {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xA

  /// Whether frames of the type may stand between the fragments of a message.
  var isControl: Bool { rawValue >= 0x8 }
}

/// The header of a frame that a server sends, which is never masked.
struct FrameHeader: Sendable, Hashable {
  /// The maximum size of a header: two bytes and a length of eight.
  static let maximumSize = 10
  /// The maximum length of a control frame's payload (RFC 6455, section 5.5).
  static let maximumControlLength = 125
  /// The reserved bit that marks a compressed message (RSV1).
  fileprivate static let compressionBit: UInt8 = 0x40

  let type: FrameType
  /// Whether the frame is the last one of its message.
  let isFinal: Bool
  /// Whether the frame begins a message that is compressed (RFC 7692, section 6).
  var isCompressed = false
  /// The length of the payload.
  let length: Int

  /// Parses a header at the start of `bytes`; nil if more bytes are needed.
  ///
  /// - Parameter allowsCompression: Whether the compression of messages was negotiated.
  /// - Throws: The fault as soon as the bytes show it: a reserved bit, an unknown type, a masked frame, a
  ///   control frame that is fragmented or too long, a length of 2^63 or more, or one not written minimally.
  static func parse(
    _ bytes: ArraySlice<UInt8>, allowsCompression: Bool = false
  ) throws(ProtocolFault) -> (header: FrameHeader, size: Int)? {
    guard let first = bytes.first else { return nil }
    let isCompressed = first & compressionBit != 0
    guard first & 0x30 == 0, allowsCompression || !isCompressed else {
      throw .violation("a reserved bit is set, although no extension was negotiated")
    }
    guard let type = FrameType(rawValue: first & 0x0F) else {
      throw .violation("a frame has the reserved type \(first & 0x0F)")
    }
    let isFinal = first & 0x80 != 0
    guard isFinal || !type.isControl else { throw .violation("a control frame is fragmented") }
    guard !isCompressed || type == .text || type == .binary else {
      throw .violation("a frame that does not begin a message is marked as compressed")
    }
    guard bytes.count >= 2 else { return nil }
    let second = bytes[bytes.startIndex + 1]
    guard second & 0x80 == 0 else { throw .violation("a frame of the server is masked") }
    let short = Int(second & 0x7F)
    guard !type.isControl || short <= maximumControlLength else {
      throw .violation("a control frame is longer than \(maximumControlLength) bytes")
    }
    func header(_ length: Int) -> FrameHeader {
      FrameHeader(type: type, isFinal: isFinal, isCompressed: isCompressed, length: length)
    }
    guard short > 125 else { return (header(short), 2) }
    let count = short == 126 ? 2 : 8
    // Refused by its first byte, without the other seven.
    if count == 8, bytes.count > 2, bytes[bytes.startIndex + 2] & 0x80 != 0 {
      throw .violation("the length of a frame exceeds 63 bits")
    }
    guard bytes.count >= 2 + count else { return nil }
    let length = bytes.dropFirst(2).prefix(count).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    guard length > (count == 2 ? 125 : 0xFFFF) else {
      throw .violation("the length of a frame is not written in the fewest bytes")
    }
    return (header(Int(length)), 2 + count)
  }
}

/// Writes the frames of a client, which are masked (RFC 6455, section 5.3).
enum FrameWriter {
  /// Returns a frame with a payload.
  ///
  /// - Parameters:
  ///   - isCompressed: Whether the payload is that of a compressed message.
  ///   - mask: The masking key, which must be unpredictable for the code that chose the payload.
  static func frame(
    _ type: FrameType, isFinal: Bool = true, isCompressed: Bool = false, _ payload: some Collection<UInt8>,
    mask: UInt32
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    bytes.append(type.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? FrameHeader.compressionBit : 0))
    let count = payload.count
    switch count {
    case ...125: bytes.append(UInt8(count) | 0x80)
    case ...0xFFFF:
      bytes.append(126 | 0x80)
      for shift in [8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    default:
      bytes.append(127 | 0x80)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: UInt64(count) >> UInt64(shift)))
      }
    }
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: mask >> UInt32(shift))) }
    let start = bytes.count
    bytes.append(contentsOf: payload)
    Masking.apply(mask, to: &bytes, from: start)
    return bytes
  }
}

/// The masking of payloads, which is its own inverse.
enum Masking {
  /// Masks the bytes from an offset on, eight at a time.
  static func apply(_ mask: UInt32, to bytes: inout [UInt8], from start: Int) {
    // The key's bytes in the order of the payload's, twice.
    let key = UInt64(mask.bigEndian)
    let word = key | key << 32
    unsafe bytes.withUnsafeMutableBytes { raw in
      var index = start
      while index + 8 <= raw.count {
        let piece = unsafe raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        unsafe raw.storeBytes(of: piece ^ word, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      for position in index..<raw.count {
        let part = UInt8(truncatingIfNeeded: mask >> UInt32(24 - 8 * ((position - index) % 4)))
        unsafe raw[position] ^= part
      }
    }
  }
}
