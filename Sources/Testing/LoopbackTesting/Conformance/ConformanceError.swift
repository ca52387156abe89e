#if LoopbackTesting

/// A violation of a requirement by a dispatcher.
package struct ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The observed and the expected behavior.
  package let description: String

  init(_ sentence: String) { description = sentence }
}
#endif
