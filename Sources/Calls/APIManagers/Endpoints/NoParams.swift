/// The params of an API that takes no params.
public struct NoParams: Sendable, Hashable, Encodable {
  /// Creates the params.
  public init() {}
}
