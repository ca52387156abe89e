/// What answers a URL that no route answers.
public struct RouteFallback: Sendable {
  let run: @Sendable (UnroutedURL, RouteContext) async throws -> any Sendable

  /// Answers with what the body returns; a caller that expects another type gets `.resultMismatch`.
  public init<Output: Sendable>(
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    run = { url, context in try await body(url, context) }
  }
}
