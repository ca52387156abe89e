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
      """
      the part contradicts itself: its Content-Range names six bytes, of which it has five, and the one that a request \
      for the last five would get is another one than the test expects
      """,
      "partial-store-partial-reuse-partial", "partial-store-partial-reuse-partial-byterange",
      "partial-store-partial-reuse-partial-absent", "partial-store-partial-reuse-partial-suffix"),
    SemanticsRefusal(
      "only a part with a strong entity tag is completed, or the rest may be that of another version",
      "partial-store-partial-complete"),
    SemanticsRefusal(
      "only a server knows which language it would choose for other ones", "vary-normalise-lang-select"),
  ]

  /// Required tests for a shared cache.
  static let shared: [SemanticsRefusal] = [
    SemanticsRefusal(
      "CDN-Cache-Control (RFC 9213) is for the caches of content delivery networks, and not obeyed",
      "cdn-max-age-0", "cdn-max-age-0-expires", "cdn-max-age-age", "cdn-max-age-long-cc-max-age",
      "cdn-no-cache", "cdn-no-store-cc-fresh", "cdn-private", "cdn-fresh-cc-nostore",
      "cdn-cc-invalid-sh-type-unknown", "cdn-cc-invalid-sh-type-wrong"),
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
