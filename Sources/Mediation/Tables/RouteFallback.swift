/// What answers a URL that no route answers.
///
/// Asked are, in this order: the fallback of the longest prefix, those of shorter prefixes, the module's, the
/// app's. What the first of them returns is the call's answer; one that throws `PassedOn` leaves the URL to
/// the next.
public struct RouteFallback: Sendable {
  let run: @Sendable (UnroutedURL, RouteContext) async throws -> any Sendable

  /// Thrown by a fallback that has no answer for this URL: the next one is asked.
  public struct PassedOn: Error, Sendable {
    /// Makes the one value.
    public init() {}
  }

  /// Answers with what the body returns; a caller that expects another type gets `.resultMismatch`.
  public init<Output: Sendable>(
    _ body: @escaping @Sendable (UnroutedURL, RouteContext) async throws -> Output
  ) {
    run = { url, context in try await body(url, context) }
  }
}
