import CBrotli
import CZlib
import CZstd

/// A decoder of one content coding, which is given the coded bytes piece by piece.
package protocol ContentDecoder: AnyObject {
  /// Whether the coded data is complete, with nothing after its end.
  var isEnded: Bool { get }

  /// Decodes from `input` into `target`; returns nil if the data is not of this coding.
  ///
  /// If `target` was filled there may be more output, even without further input.
  func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep?
}

/// The progress of one step of decoding.
package struct DecodingStep: Hashable {
  /// A step that neither read nor wrote.
  static let nothing = DecodingStep(consumed: 0, produced: 0)

  /// The number of bytes of the input that were decoded.
  package var consumed: Int
  /// The number of bytes that were written.
  package var produced: Int
}

/// Decodes gzip (RFC 1952), and deflate with or without its frame (RFC 1950, RFC 1951).
@safe
package final class ZlibDecoder: ContentDecoder {
  /// A format of zlib's.
  package enum Format: Hashable {
    /// RFC 1952.
    case gzip
    /// RFC 1950, or RFC 1951 from servers that omit the zlib header; the first byte distinguishes them.
    case deflate
  }

  // zlib's state has a pointer to it, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let format: Format
  private var isOpen = false
  private var isPadding = false
  package private(set) var isEnded = false

  /// Creates a decoder of a format.
  package init(_ format: Format) {
    self.format = format
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
  }

  deinit {
    if isOpen { _ = unsafe inflateEnd(stream) }
    unsafe stream.deallocate()
  }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    guard let first = unsafe input.first else {
      return isOpen && !isEnded ? unsafe inflate(input, target) : .nothing
    }
    if isPadding || (isEnded && format == .gzip && first == 0) { return unsafe skipPadding(input) }
    if isEnded { guard reopen(first) else { return nil } }
    if !isOpen { guard open(first) else { return nil } }
    return unsafe inflate(input, target)
  }

  private func inflate(
    _ input: UnsafeBufferPointer<UInt8>, _ target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    let offered = UInt32(clamping: input.count)
    let room = UInt32(clamping: target.count)
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = offered
    unsafe stream.pointee.next_out = target.baseAddress
    unsafe stream.pointee.avail_out = room
    let code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
    // Z_BUF_ERROR: no progress was possible.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
    isEnded = code == Z_STREAM_END
    return unsafe DecodingStep(
      consumed: Int(offered - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
  }

  private func open(_ first: UInt8) -> Bool {
    let windowBits: CInt
    switch format {
    case .gzip: windowBits = 15 + 16
    case .deflate: windowBits = first & 0x0F == 8 && first >> 4 <= 7 ? 15 : -15
    }
    let size = unsafe CInt(MemoryLayout<z_stream>.size)
    isOpen = unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK
    return isOpen
  }

  /// Begins another member (RFC 1952, section 2.2); nothing else may follow the end.
  private func reopen(_ first: UInt8) -> Bool {
    guard format == .gzip, first == 0x1F, unsafe inflateReset(stream) == Z_OK else { return false }
    isEnded = false
    return true
  }

  // Some encoders pad the last block with zeros.
  private func skipPadding(_ input: UnsafeBufferPointer<UInt8>) -> DecodingStep? {
    isPadding = true
    guard unsafe input.allSatisfy({ $0 == 0 }) else { return nil }
    return DecodingStep(consumed: input.count, produced: 0)
  }
}

/// Decodes brotli (RFC 7932).
@safe
package final class BrotliDecoder: ContentDecoder {
  private let state: OpaquePointer
  package private(set) var isEnded = false

  /// Creates a decoder; nil if there is no memory.
  package init?() {
    guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
    unsafe self.state = state
  }

  deinit { unsafe BrotliDecoderDestroyInstance(state) }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    guard !isEnded else { return input.isEmpty ? .nothing : nil }
    var left = input.count
    var next = input.baseAddress
    var room = target.count
    var place = target.baseAddress
    let result = unsafe BrotliDecoderDecompressStream(state, &left, &next, &room, &place, nil)
    guard result != BROTLI_DECODER_RESULT_ERROR else { return nil }
    isEnded = result == BROTLI_DECODER_RESULT_SUCCESS
    return DecodingStep(consumed: input.count - left, produced: target.count - room)
  }
}

/// Decodes Zstandard (RFC 8878) with windows of at most 8 MiB (RFC 9659).
@safe
package final class ZstdDecoder: ContentDecoder {
  private static let windowLog: CInt = 23
  private static let maximumHeaderLength = 18

  private let stream: OpaquePointer
  /// The first bytes of the current frame, up to the maximum length of its header.
  private var header: [UInt8] = []
  /// The number of bytes that the current frame was decoded to.
  private var contentLength = 0
  private var isSkipped = false
  package private(set) var isEnded = false

  /// Creates a decoder; nil if there is no memory.
  package init?() {
    guard let stream = unsafe ZSTD_createDStream() else { return nil }
    unsafe self.stream = stream
    _ = unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Self.windowLog)
  }

  deinit { _ = unsafe ZSTD_freeDStream(stream) }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    // Without input, a step after the end would begin another frame.
    if isEnded, input.isEmpty { return .nothing }
    if isEnded { (header, contentLength) = ([], 0) }
    for index in 0..<min(max(0, 4 - header.count), input.count) {
      guard isMagic(unsafe input[index], at: header.count + index) else { return nil }
    }
    var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var sink = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
    let result = unsafe ZSTD_decompressStream(stream, &sink, &source)
    guard ZSTD_isError(result) == 0 else { return nil }
    isEnded = result == 0
    let missing = Self.maximumHeaderLength - header.count
    if missing > 0 { unsafe header.append(contentsOf: input.prefix(min(missing, source.pos))) }
    contentLength += unsafe sink.pos
    guard !isEnded || isStatedLength(contentLength) else { return nil }
    return unsafe DecodingStep(consumed: source.pos, produced: sink.pos)
  }

  /// Compares with the length in the frame's header, if it has one.
  ///
  /// libzstd does so too, except when it gets a frame in pieces whose last block is empty.
  private func isStatedLength(_ length: Int) -> Bool {
    let stated = unsafe header.withUnsafeBytes { unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
    return isSkipped || stated == UInt64(length) || stated == UInt64.max
  }

  /// Compares a byte with the magic number of frames, or of those that are skipped (RFC 8878, section 3.1).
  ///
  /// libzstd also decodes the frames of its versions before 0.8, which have another number and format.
  private func isMagic(_ byte: UInt8, at index: Int) -> Bool {
    if index == 0 { isSkipped = byte & 0xF0 == 0x50 }
    if isSkipped { return index == 0 || byte == [0x50, 0x2A, 0x4D, 0x18][index] }
    return byte == [0x28, 0xB5, 0x2F, 0xFD][index]
  }
}
