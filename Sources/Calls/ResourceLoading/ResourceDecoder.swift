/// A type that decodes a resource, such as an image, from the bytes of a response.
///
/// A ``ResourceLoader`` calls both methods on the concurrent executor, never on the actor of its caller, and
/// for at most `decodes` of its ``ResourceLimits`` at the same time. The bytes come from a server: a decoder
/// throws for any that it can't decode, and never traps.
public protocol ResourceDecoder: Sendable {
  /// The decoded form, such as a bitmap.
  associatedtype Value: Sendable

  /// Returns the size in pixels that the resource's header states, without decoding its content; nil for a
  /// resource that has no pixels.
  ///
  /// The loader compares it with the `pixels` of its ``ResourceLimits`` before it decodes.
  func measure(_ bytes: [UInt8]) throws -> PixelSize?

  /// Decodes the resource.
  ///
  /// - Parameter size: The size at which the value is shown; nil for the resource's own. A decoder of images
  ///   scales down to about this size, so that the value has no more bytes than the screen needs.
  func decode(_ bytes: [UInt8], to size: PixelSize?) throws -> DecodedResource<Value>
}

/// A decoded value, and the memory that it takes.
public struct DecodedResource<Value: Sendable>: Sendable {
  /// The value.
  public let value: Value
  /// The number of bytes that the value takes, such as four for each pixel.
  public let cost: Int

  /// Creates a decoded value.
  public init(_ value: Value, cost: Int) {
    self.value = value
    self.cost = cost
  }
}
