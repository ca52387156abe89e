/// Tests that the cache doesn't pass on purpose, or can't, and why.
struct SemanticsRefusal: Sendable {
  let reason: String
  let ids: [String]

  private init(_ reason: String, _ ids: String...) {
    self.reason = reason
    self.ids = ids
  }

  /// Required tests; both are blocked by `stale-close`, which no rule asks a cache to pass.
  static let required: [SemanticsRefusal] = [
    SemanticsRefusal(
      """
      they ask that nothing stale is given when the server hangs up, which is kept: the caller gets an error. But they \
      count only where a stale answer without those directives is given then, which this cache never does \
      unasked, and the original counts a client's error as a failure, so that no client passes them
      """,
      "stale-close-must-revalidate", "stale-close-no-cache")
  ]

  /// Tests whose failing breaks no rule.
  static let optimal: [SemanticsRefusal] = [
    SemanticsRefusal(
      "a lifetime is declared or stated, never guessed from Last-Modified",
      "heuristic-200-cached", "heuristic-203-cached", "heuristic-204-cached", "heuristic-404-cached",
      "heuristic-405-cached", "heuristic-410-cached", "heuristic-414-cached", "heuristic-501-cached",
      "heuristic-599-cached"),
    SemanticsRefusal(
      "only complete answers are stored, no parts",
      "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
      "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix",
      "partial-store-partial-complete"),
    SemanticsRefusal(
      "fields that Vary names are compared as they are written; another spelling costs a miss",
      "vary-normalise-lang-order", "vary-normalise-lang-case", "vary-normalise-lang-space",
      "vary-normalise-lang-select", "vary-normalise-space"),
    SemanticsRefusal(
      "a POST's answer is filed under its own content, and never answers a GET", "method-POST"),
    SemanticsRefusal("no-store is obeyed, whatever stands beside it", "status-200-must-understand"),
    SemanticsRefusal(
      "a request that asks for max-age=0 gets what the server confirms, immutable or not",
      "cc-resp-immutable-fresh"),
  ]
}

extension [SemanticsRefusal] {
  /// The names of all tests in the table.
  var ids: Set<String> { Set(flatMap(\.ids)) }
}
