/// Answers URLs that no route matches.
///
/// Fallbacks run in this order: the one with the longest matching prefix, those with shorter prefixes, the
/// module's, the app's. The call returns the result of the first one that does not throw `DeclinedError`.
public struct RouteFallback: Sendable {
  let run: @Sendable (UnroutedURL, RouteContext) async throws -> any Sendable

  /// The error that a fallback throws to leave the URL to the next fallback.
  public struct DeclinedError: Error, Sendable {
    /// Creates the error.
    public init() {}
  }
  /// Creates a fallback from a closure.
  ///
  /// A caller that expects another type gets `.resultMismatch`.
  public init<Output: Sendable>(
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    run = { url, context in try await body(url, context) }
  }
}
