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
      "many servers take the first language as the preferred one, so another order may have another response; and only "
        + "a server knows which language it would choose",
      "vary-normalise-lang-order", "vary-normalise-lang-select"),
    SemanticsRefusal(
      "a response to POST is stored with the request's body as key, never used for a GET", "method-POST"),
  ]

  /// Required tests for a shared cache.
  static let shared: [SemanticsRefusal] = [
    SemanticsRefusal(
      "CDN-Cache-Control (RFC 9213) is for the caches of content delivery networks, and not obeyed",
      "cdn-max-age-0", "cdn-max-age-0-expires", "cdn-max-age-age", "cdn-max-age-long-cc-max-age",
      "cdn-no-cache", "cdn-no-store-cc-fresh", "cdn-private", "cdn-fresh-cc-nostore",
      "cdn-cc-invalid-sh-type-unknown", "cdn-cc-invalid-sh-type-wrong"),
    SemanticsRefusal(
      "a request with conditions of its own bypasses the cache, so that the server evaluates them",
      "conditional-304-etag", "conditional-etag-precedence"),
    SemanticsRefusal(
      "they count only if a stale response is otherwise served when the server closes the connection, which this cache "
        + "never does unless asked to",
      "stale-close-must-revalidate", "stale-close-no-cache", "stale-close-proxy-revalidate",
      "stale-close-s-maxage=2"),
    SemanticsRefusal(
      "the dispatcher skips informational responses, which are not stored; the test requires that the caller gets them",
      "interim-not-cached"),
  ]

  /// Tests that pass in-process, but not over every version of libcurl.
  static let byTransport: [SemanticsRefusal] = [
    SemanticsRefusal(
      """
      they require that a response in an unknown transfer coding is passed on and cached; libcurl 7.88 passes on its \
      content as it is, but 8.14 refuses it (RFC 9112, section 6.1: the server may only use codings that the client \
      has named)
      """,
      "headers-store-Transfer-Encoding")
  ]
}

extension [SemanticsRefusal] {
  /// The ids of all listed tests.
  var ids: Set<String> { Set(flatMap(\.ids)) }
}
