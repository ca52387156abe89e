/// The params of an API that takes none.
public struct NoParams: Sendable, Hashable {
  /// Makes the only value there is.
  public init() {}
}
