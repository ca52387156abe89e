#if LoopbackTesting

/// A violation of a requirement by a dispatcher.
public struct ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The observed and the expected behavior.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
#endif
