/// A width and a height in pixels.
public struct PixelSize: Sendable, Hashable {
  /// The width.
  public let width: Int
  /// The height.
  public let height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Whether both sides have at least one pixel.
  var isValid: Bool { width > 0 && height > 0 }

  /// Returns whether the size, if it is valid, has at most `limit` pixels.
  func hasAtMost(_ limit: Int) -> Bool {
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    return !overflows && pixels <= limit
  }

  /// Whether neither side is shorter than that of another size.
  func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }
}

extension PixelSize: CustomStringConvertible {
  /// The sides, such as "640 × 480".
  public var description: String { "\(width) × \(height)" }
}
