/// The params of an API that takes no params.
public struct NoParams: Sendable, Hashable {
  /// Creates the params.
  public init() {}
}
