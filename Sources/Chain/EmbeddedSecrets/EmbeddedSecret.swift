#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A secret that the plugin EmbedSecrets has written into the program, as shares that are joined only while
/// the secret is used.
///
/// The plugin adds a static property for each secret that it embeds:
///
/// ```swift
/// let key = try SigningKey(id: "shop-1", secret: .platformKey)
/// ```
///
/// No share reveals the secret, and neither does the text or the mirror of the value. A debugger does.
public struct EmbeddedSecret: Sendable {
  private let shares: [[UInt8]]

  /// Creates a secret from shares, which give it by exclusive or; the code that the plugin writes calls it.
  ///
  /// A share that is shorter than another one counts as if zeros followed.
  public init(shares: [UInt8]...) { self.shares = shares }

  /// Creates a secret from bytes that are known only at run time, as a single share.
  package init(bytes: [UInt8]) { shares = [bytes] }

  /// The length of the secret in bytes.
  package var count: Int { shares.map(\.count).max() ?? 0 }

  /// Calls a closure with the secret, whose bytes are overwritten when the closure returns or throws.
  ///
  /// A copy that the closure makes is not overwritten.
  public func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withArray { bytes throws(Failure) in
      // `Array.span` needs later systems than the manifest names.
      try bytes.withUnsafeBufferPointer { bytes throws(Failure) in try body(bytes.span) }
    }
  }

  /// Does the same with an array, which the closure must not keep: a kept array is not overwritten.
  package func withArray<Result, Failure: Error>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var bytes = [UInt8](repeating: 0, count: count)
    return try withArray(joinedIn: &bytes, body)
  }

  /// Does the same in the caller's memory, which has the length of the secret.
  package func withArray<Result, Failure: Error>(
    joinedIn bytes: inout [UInt8], _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { Self.wipe(&bytes) }
    join(into: &bytes)
    return try body(bytes)
  }

  // If it were inlined where the shares are constants, the compiler could join them.
  @inline(never) private func join(into bytes: inout [UInt8]) {
    for index in bytes.indices { bytes[index] = 0 }
    for share in shares {
      for (index, byte) in zip(bytes.indices, share) { bytes[index] ^= byte }
    }
  }

  private static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { memory in
      guard let start = memory.baseAddress else { return }
      // The compiler removes neither of these, as it would an assignment that nothing reads.
      #if canImport(Darwin)
      memset_s(start, memory.count, 0, memory.count)
      #else
      explicit_bzero(start, memory.count)
      #endif
    }
  }
}

extension EmbeddedSecret: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Without the secret.
  public var description: String { "(secret)" }
  /// The description.
  public var debugDescription: String { description }
  /// Empty, so that `dump` and `Mirror` can't reveal the secret.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
