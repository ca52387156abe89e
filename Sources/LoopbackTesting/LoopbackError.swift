/// Why a loopback server could not do what it was asked.
public struct LoopbackError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, and what to do.
  public let description: String

  init(_ sentence: String) { description = sentence }
}
