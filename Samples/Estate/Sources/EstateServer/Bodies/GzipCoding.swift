import CLibz

enum GzipCoding {
  /// 15 bits of window, plus 16 for the gzip wrapper.
  private static let windowBits: CInt = 15 + 16
  private static let chunk = 16 * 1024

  /// Decodes one or more gzip members; fails as soon as there are more than `limit` bytes.
  static func decode(_ encoded: [UInt8], limit: Int) throws(GzipFault) -> [UInt8] {
    var stream = z_stream()
    let size = CInt(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .unavailable }
    defer { inflateEnd(&stream) }
    var decoded: [UInt8] = []
    var window = [UInt8](repeating: 0, count: chunk)
    var consumed = 0
    while true {
      let step = Self.step(&stream, input: encoded[consumed...], output: &window) { stream in
        inflate(stream, Z_NO_FLUSH)
      }
      consumed += step.consumed
      guard decoded.count + step.produced <= limit else { throw .tooLarge }
      decoded.append(contentsOf: window[..<step.produced])
      switch step.code {
      case Z_STREAM_END where consumed == encoded.count:
        return decoded
      case Z_STREAM_END:
        // A gzip file may consist of several members (RFC 1952 section 2.2).
        guard inflateReset(&stream) == Z_OK else { throw .damaged }
      case Z_OK where step.consumed > 0 || step.produced > 0:
        continue
      default:
        throw .damaged
      }
    }
  }

  /// Encodes bytes as one gzip member at zlib's default level.
  static func encode(_ bytes: [UInt8]) throws(GzipFault) -> [UInt8] {
    var stream = z_stream()
    let size = CInt(MemoryLayout<z_stream>.size)
    let started = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    guard started == Z_OK else { throw .unavailable }
    defer { deflateEnd(&stream) }
    var encoded: [UInt8] = []
    var window = [UInt8](repeating: 0, count: chunk)
    var consumed = 0
    while true {
      let step = Self.step(&stream, input: bytes[consumed...], output: &window) { stream in
        deflate(stream, Z_FINISH)
      }
      consumed += step.consumed
      encoded.append(contentsOf: window[..<step.produced])
      if step.code == Z_STREAM_END { return encoded }
      guard step.code == Z_OK else { throw .unavailable }
    }
  }

  /// Calls zlib once; it gets pointers to the bytes for the time of the call only.
  private static func step(
    _ stream: inout z_stream, input: ArraySlice<UInt8>, output: inout [UInt8],
    call: (UnsafeMutablePointer<z_stream>) -> CInt
  ) -> (code: CInt, consumed: Int, produced: Int) {
    let given = min(input.count, Int(CInt.max))
    let room = output.count
    return input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        // zlib only reads through next_in, although its type is mutable.
        stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.avail_in = CUnsignedInt(given)
        stream.next_out = target.baseAddress
        stream.avail_out = CUnsignedInt(room)
        let code = call(&stream)
        defer {
          stream.next_in = nil
          stream.next_out = nil
        }
        return (code, given - Int(stream.avail_in), room - Int(stream.avail_out))
      }
    }
  }
}

/// Why bytes could not be gzip-coded or decoded.
enum GzipFault: Error, Equatable {
  case damaged
  case tooLarge
  /// zlib could not allocate its state.
  case unavailable
}
