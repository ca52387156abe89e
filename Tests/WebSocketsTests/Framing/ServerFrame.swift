@testable import WebSockets

/// A frame as a server sends it, correctly or not.
struct ServerFrame: Sendable {
  var opcode: UInt8
  var isFinal = true
  var reserved: UInt8 = 0
  var payload: [UInt8] = []
  var isMasked = false

  static func text(_ text: String, isFinal: Bool = true) -> ServerFrame {
    ServerFrame(opcode: 1, isFinal: isFinal, payload: Array(text.utf8))
  }

  static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> ServerFrame {
    ServerFrame(opcode: 2, isFinal: isFinal, payload: bytes)
  }

  static func continuation(_ bytes: [UInt8], isFinal: Bool = true) -> ServerFrame {
    ServerFrame(opcode: 0, isFinal: isFinal, payload: bytes)
  }

  static func ping(_ bytes: [UInt8] = []) -> ServerFrame { ServerFrame(opcode: 9, payload: bytes) }

  static func pong(_ bytes: [UInt8] = []) -> ServerFrame { ServerFrame(opcode: 10, payload: bytes) }

  static func close(_ code: UInt16?, _ reason: [UInt8] = []) -> ServerFrame {
    ServerFrame(opcode: 8, payload: (code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []) + reason)
  }

  var bytes: [UInt8] {
    let mask: UInt8 = isMasked ? 0x80 : 0
    var bytes = [opcode | reserved << 4 | (isFinal ? 0x80 : 0)]
    switch payload.count {
    case ...125: bytes.append(UInt8(payload.count) | mask)
    case ...0xFFFF: bytes += [126 | mask, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      bytes.append(127 | mask)
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: payload.count >> $0) }
    }
    // A key of zeros leaves the payload as it is.
    return bytes + (isMasked ? [0, 0, 0, 0] : []) + payload
  }
}

/// A frame that a client sent, parsed for a test.
struct ClientFrame: Sendable, Hashable {
  var type: FrameType
  var isFinal: Bool
  /// Whether it begins a compressed message.
  var isCompressed: Bool
  var payload: [UInt8]
  /// The number of bytes of the frame.
  var size: Int

  /// Parses a frame; nil if bytes are missing, or if it is not a masked frame.
  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(14))
    guard head.count >= 2, head[1] & 0x80 != 0, let type = FrameType(rawValue: head[0] & 0x0F) else {
      return nil
    }
    let short = Int(head[1] & 0x7F)
    let count = short < 126 ? 0 : short == 126 ? 2 : 8
    guard head.count >= 6 + count else { return nil }
    let length = count == 0 ? short : head[2..<(2 + count)].reduce(0) { $0 << 8 | Int($1) }
    let start = 6 + count
    guard bytes.count >= start + length else { return nil }
    let key = Array(head[(start - 4)..<start])
    self.type = type
    isFinal = head[0] & 0x80 != 0
    isCompressed = head[0] & 0x40 != 0
    payload = Array(bytes.dropFirst(start).prefix(length))
    // Messages have up to 4 MiB, and a test is not optimized.
    payload.withUnsafeMutableBufferPointer { payload in
      for index in payload.indices { payload[index] ^= key[index & 3] }
    }
    size = start + length
  }
}
