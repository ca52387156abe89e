/// Lends memory as spans where the standard library does so only from version 26 of Apple's platforms on.
///
/// It stands in for `String.UTF8View.span` and `InlineArray`; delete it when the manifest's platforms have them.
/// This is the only type that takes pointers. A span ends with the closure that receives it.
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
