/// Tests that the cache doesn't pass, by design or necessity, with the reason.
struct SemanticsRefusal: Sendable {
  let reason: String
  let ids: [String]

  private init(_ reason: String, _ ids: String...) {
    self.reason = reason
    self.ids = ids
  }

  /// Required tests; both are blocked by `stale-close`, which is not required.
  static let required: [SemanticsRefusal] = [
    SemanticsRefusal(
      """
      they require that nothing stale is served when the server closes the connection, which holds: the caller gets \
      an error. But they count only if a stale response is otherwise served in that case, which this cache never does \
      unless asked to, and the original treats a client's error as a failure, so no client passes them
      """,
      "stale-close-must-revalidate", "stale-close-no-cache")
  ]

  /// Tests whose failure violates no requirement.
  static let optimal: [SemanticsRefusal] = [
    SemanticsRefusal(
      "a lifetime is declared or stated, never estimated from Last-Modified",
      "heuristic-200-cached", "heuristic-203-cached", "heuristic-204-cached", "heuristic-404-cached",
      "heuristic-405-cached", "heuristic-410-cached", "heuristic-414-cached", "heuristic-501-cached",
      "heuristic-599-cached"),
    SemanticsRefusal(
      "only complete responses are stored, no parts",
      "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
      "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
      "partial-store-partial-complete"),
    SemanticsRefusal(
      "fields named by Vary are compared literally; another spelling costs a miss",
      "vary-normalise-lang-order", "vary-normalise-lang-case", "vary-normalise-lang-space",
      "vary-normalise-lang-select", "vary-normalise-space"),
    SemanticsRefusal(
      "a response to POST is stored with the request's body as key, never used for a GET", "method-POST"),
    SemanticsRefusal("no-store is honored regardless of other directives", "status-200-must-understand"),
    SemanticsRefusal(
      "max-age=0 in a request forces revalidation, even of immutable responses",
      "cc-resp-immutable-fresh"),
  ]
}

extension [SemanticsRefusal] {
  /// The ids of all listed tests.
  var ids: Set<String> { Set(flatMap(\.ids)) }
}
