#if LoopbackTesting

/// The failure of a loopback server.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem and its remedy.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
#endif
