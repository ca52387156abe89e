/// Reads text eight or sixteen bytes at a time.
///
/// A look-up reads each byte of a URL several times, and reading whole words makes that cheap. This is the
/// only type that reads bytes as other types: within a span's checked bounds, and as integers, for which
/// every bit pattern is valid.
enum ByteWords {
  /// Returns the eight bytes at an offset, the first in the lowest bits; all must lie within the span.
  @inline(__always)
  static func load(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    unsafe UInt64(littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Returns up to eight bytes at an offset, the first in the lowest bits, zero-extended.
  @inline(__always)
  static func load(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
    let last = bytes.count &- 8
    if last < 0 { return loadShort(bytes, at: offset, count: count) }
    // Near the end, read the last whole word and shift it, so that no branch depends on where the text ends.
    let place = min(offset, last)
    let word = load(bytes, at: place) &>> UInt64(truncatingIfNeeded: (offset &- place) &<< 3)
    if count <= 0 { return 0 }
    return count >= 8 ? word : word & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- (count &<< 3)))
  }

  /// Returns the same for a text of fewer than eight bytes.
  @inline(never)
  private static func loadShort(_ bytes: Span<UInt8>, at offset: Int, count: Int) -> UInt64 {
    var word: UInt64 = 0
    for position in 0..<min(count, 8) { word |= UInt64(bytes[offset + position]) &<< UInt64(8 * position) }
    return word
  }

  /// Returns the byte repeated in all eight positions.
  @inline(__always)
  static func each(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

  /// Returns a bit for each non-plain byte among the 64 bytes from an offset, the first in the lowest bit.
  ///
  /// Plain bytes are letters, digits, `-`, `.` and `_`, which may occur anywhere in a URL and do not delimit
  /// its parts. All bytes are classified before any mark is used, so that there is no branch to mispredict.
  static func marks(_ bytes: Span<UInt8>, from base: Int) -> UInt64 {
    let count = min(bytes.count &- base, 64)
    if count < 16 { return fewMarks(bytes, from: base, count: count) }
    var marks = marked(sixteen(bytes, at: base))
    // Unrolled: the compiler vectorizes a loop of at most three rounds, and its setup costs more than the
    // loop.
    if count >= 32 { marks |= marked(sixteen(bytes, at: base &+ 16)) &<< 16 }
    if count >= 48 { marks |= marked(sixteen(bytes, at: base &+ 32)) &<< 32 }
    if count == 64 { return marks | marked(sixteen(bytes, at: base &+ 48)) &<< 48 }
    // The last sixteen bytes, some of which have been classified already.
    return marks | marked(sixteen(bytes, at: base &+ count &- 16)) &<< UInt64(truncatingIfNeeded: count &- 16)
  }

  /// Returns the same for fewer than sixteen bytes.
  private static func fewMarks(_ bytes: Span<UInt8>, from base: Int, count: Int) -> UInt64 {
    if count <= 0 { return 0 }
    let words = SIMD2(
      load(bytes, at: base, count: count), count > 8 ? load(bytes, at: base &+ 8, count: count &- 8) : 0)
    // The zeros that pad the words are not part of the text.
    return marked(words) & (UInt64.max &>> UInt64(truncatingIfNeeded: 64 &- count))
  }

  @inline(__always)
  private static func sixteen(_ bytes: Span<UInt8>, at offset: Int) -> SIMD2<UInt64> {
    let words = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
    return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
  }

  /// Returns the marks of two words in the lowest sixteen bits.
  @inline(__always)
  private static func marked(_ words: SIMD2<UInt64>) -> UInt64 {
    let bytes = unsafe unsafeBitCast(words, to: SIMD16<UInt8>.self)
    let letters = ((bytes | all(0x20)) &- all(UInt8(ascii: "a"))) .< all(26)
    let fromMinusToNine = (bytes &- all(UInt8(ascii: "-"))) .< all(13)
    let isSlash = bytes .== all(UInt8(ascii: "/"))
    let isUnderscore = bytes .== all(UInt8(ascii: "_"))
    let plain = (letters .| isUnderscore) .| (fromMinusToNine .& .!isSlash)
    // Keep one bit per byte, at the byte's own position; the multiplication collects the eight bits in the
    // highest byte.
    let isPlain = unsafe unsafeBitCast(plain, to: SIMD2<UInt64>.self)
    let bits = ~isPlain & SIMD2(repeating: 0x8040_2010_0804_0201)
    let low = (bits[0] &* 0x0101_0101_0101_0101) &>> 56
    return low | ((bits[1] &* 0x0101_0101_0101_0101) &>> 56) &<< 8
  }

  /// Returns the byte repeated in sixteen positions; the explicit type keeps comparisons from compiling to
  /// loops.
  @inline(__always)
  private static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16<UInt8>(repeating: byte) }

  /// Returns the word with its ASCII letters in lower case.
  @inline(__always)
  static func lowercase(_ word: UInt64) -> UInt64 {
    let ascii = word & each(0x7F)
    let fromA = ascii &+ each(0x80 - 0x41)
    let beyondZ = ascii &+ each(0x80 - 0x5B)
    return word | (fromA & ~beyondZ & ~word & each(0x80)) &>> 2
  }

  /// Returns the hash with a word mixed in.
  @inline(__always)
  static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
    return product ^ (product &>> 32)
  }

  /// Returns a hash of the bytes.
  static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var hash = UInt64(bytes.count)
    var offset = 0
    while offset < bytes.count {
      hash = mix(hash, load(bytes, at: offset, count: bytes.count - offset))
      offset += 8
    }
    return hash
  }
}

/// Lends memory as spans where the standard library does so only from version 26 of Apple's platforms on.
///
/// It stands in for `String.UTF8View.span` and `InlineArray`; delete it when the manifest's platforms have
/// them. This is the only type that takes pointers. A span ends with the closure that receives it.
enum SpanAccess {
  /// Calls a closure with the UTF-8 bytes of a text.
  @inline(__always)
  static func withBytes<Value, Failure: Error>(
    of text: String, _ body: (Span<UInt8>) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The method rethrows without the type of the error.
    let result: Result<Value, Failure>? = text.utf8.withContiguousStorageIfAvailable { bytes in
      do throws(Failure) { return .success(try body(unsafe bytes.span)) } catch { return .failure(error) }
    }
    if let result { return try result.get() }
    // A string of Objective-C, whose bytes are not UTF-8.
    return try body(ContiguousArray(text.utf8).span)
  }

  /// Calls a closure with a buffer of zeros, which is on the stack if it has at most 1,024 bytes.
  @inline(__always)
  static func withBuffer<Value>(of count: Int, _ body: (inout MutableSpan<UInt8>) -> Value) -> Value {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
      unsafe buffer.initialize(repeating: 0)
      var span = unsafe buffer.mutableSpan
      return body(&span)
    }
  }

  /// A fixed number of offsets, stored in place: at least 65.
  struct Offsets: Sendable {
    private var words:
      (
        UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
        UInt64, UInt64, UInt64, UInt64, UInt64
      ) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    /// Stores an offset; traps if there is no such index.
    @inline(__always)
    mutating func set(_ index: Int, to offset: Int) {
      unsafe withUnsafeMutableBytes(of: &words) { bytes in
        var offsets = unsafe bytes.bindMemory(to: UInt16.self).mutableSpan
        offsets[index] = UInt16(truncatingIfNeeded: offset)
      }
    }

    /// Calls a closure with all offsets.
    ///
    /// Copies them: call it once for many.
    @inline(__always)
    func withSpan<Value>(_ body: (Span<UInt16>) -> Value) -> Value {
      unsafe withUnsafeBytes(of: words) { body(unsafe $0.bindMemory(to: UInt16.self).span) }
    }
  }
}
