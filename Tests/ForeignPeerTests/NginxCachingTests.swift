import HTTPTypes
import Interception
import LoopbackServing
import Testing

/// The cache in front of nginx, following the header fields that nginx sends.
@Suite(
  "Caching of nginx", .timeLimit(.minutes(5)),
  .enabled(if: NginxServer.runsSuites, "nginx is not installed"))
struct NginxCachingTests {
  private static let older = "Mon, 01 Jan 2024 10:00:00 GMT"
  private static let newer = "Tue, 02 Jan 2024 10:00:00 GMT"

  @Test("A file that is replaced by an older one is loaded again, also where only its date tells them apart")
  func rolledBack() async throws {
    let nginx = try await CachedNginx(
      "etag off; if_modified_since before; add_header Cache-Control max-age=60;")
    try await nginx.put("release 2", modified: Self.newer)
    #expect(try await nginx.get().text == "release 2")
    try await nginx.put("release 1", modified: Self.older)
    #expect(try await nginx.get().text == "release 2")
    for _ in 1...2 {
      nginx.advance(by: .seconds(61))
      #expect(try await nginx.get().text == "release 1")
    }
  }

  @Test("A changed file is loaded again, an unchanged one is confirmed", arguments: ["on", "off"])
  func revalidation(tags: String) async throws {
    let nginx = try await CachedNginx("etag \(tags); add_header Cache-Control max-age=60;")
    try await nginx.put("release 1", modified: Self.older)
    #expect(try await nginx.get().text == "release 1")
    nginx.advance(by: .seconds(61))
    let confirmed = try await nginx.get()
    #expect(confirmed.text == "release 1" && confirmed.isRevalidated && !confirmed.isHit)
    #expect(try await nginx.get().isHit)
    try await nginx.put("release 2", modified: Self.newer)
    nginx.advance(by: .seconds(61))
    let changed = try await nginx.get()
    #expect(changed.text == "release 2" && !changed.isRevalidated)
    #expect(try await nginx.get().text == "release 2")
  }

  @Test(
    "The lifetimes of the directive \"expires\" are followed",
    arguments: [
      ("off", nil), ("epoch", nil), ("-1", nil), ("0", nil), ("60s", 60), ("1h", 3600), ("max", 315_360_000),
    ])
  func lifetimes(directive: String, seconds: Int?) async throws {
    let nginx = try await CachedNginx("expires \(directive);")
    try await nginx.put("text", modified: Self.older)
    #expect(try await !nginx.get().isHit)
    #expect(try await nginx.get().isHit == (seconds != nil))
    guard let seconds else { return }
    nginx.advance(by: .seconds(seconds / 2))
    #expect(try await nginx.get().isHit)
    nginx.advance(by: .seconds(seconds / 2 + 1))
    let confirmed = try await nginx.get()
    #expect(!confirmed.isHit && confirmed.isRevalidated && confirmed.text == "text")
  }

  @Test("A decoded response is confirmed by the weak entity tag of its compressed form")
  func compressed() async throws {
    let text = String(repeating: "A house in the old town. ", count: 200)
    let nginx = try await CachedNginx(
      "gzip on; gzip_types *; gzip_vary on; gzip_min_length 1; add_header Cache-Control max-age=60;")
    try await nginx.put(text, modified: Self.older)
    let first = try await nginx.get(isCoded: true)
    #expect(first.text == text && first.fields[.vary] == "Accept-Encoding")
    #expect(first.fields[.eTag]?.hasPrefix("W/") == true)
    #expect(try await nginx.get(isCoded: true).isHit)
    nginx.advance(by: .seconds(61))
    let confirmed = try await nginx.get(isCoded: true)
    #expect(confirmed.text == text && confirmed.isRevalidated)
    #expect(confirmed.fields[.contentEncoding] == nil)
  }

  @Test("A response that the caller receives coded is given only to requests that accept the coding")
  func codedVariants() async throws {
    let nginx = try await CachedNginx(
      "gzip on; gzip_types *; gzip_vary on; gzip_min_length 1; add_header Cache-Control max-age=60;")
    let text = String(repeating: "A house in the old town. ", count: 200)
    try await nginx.put(text, modified: Self.older)
    for isHit in [false, true] {
      let coded = try await nginx.get([.acceptEncoding: "gzip"])
      #expect(coded.fields[.contentEncoding] == "gzip" && coded.isHit == isHit && coded.bytes.count < 1000)
      let plain = try await nginx.get()
      #expect(plain.fields[.contentEncoding] == nil && plain.isHit == isHit && plain.text == text)
    }
  }

  @Test(
    "A part of a stored response is what nginx sends for the range",
    arguments: [
      "bytes=0-0", "bytes=2-5", "bytes=5-", "bytes=-3", "bytes=-99", "bytes=7-99", "bytes=9-9", "bytes=0-",
      "bytes=10-", "bytes=-0", "bytes=5-2", "bytes=x", "lines=1-2", "bytes=0-1,4-5",
    ])
  func ranges(range: String) async throws {
    let nginx = try await CachedNginx("add_header Cache-Control max-age=60;")
    try await nginx.put("0123456789", modified: Self.older)
    let whole = try await nginx.get()
    let ours = try await nginx.get([.range: range])
    let theirs = try await nginx.getDirectly([.range: range])
    #expect(ours.status == theirs.status)
    #expect(
      ours.fields[.eTag] == theirs.fields[.eTag] && ours.fields[.lastModified] == theirs.fields[.lastModified]
    )
    // The parts of several ranges have a random boundary between them.
    guard !range.contains(",") else { return }
    #expect(ours.fields[.contentRange] == theirs.fields[.contentRange])
    if theirs.status.code < 400 { #expect(ours.text == theirs.text) }
    #expect(try await nginx.get().text == whole.text)
  }

  @Test("A PUT through the cache removes what is stored, a refused one does not")
  func invalidation() async throws {
    let nginx = try await CachedNginx("add_header Cache-Control max-age=60;")
    try await nginx.put("release 1", modified: Self.older)
    #expect(try await nginx.get().text == "release 1")
    #expect(try await nginx.send(.post).status == .methodNotAllowed)
    #expect(try await nginx.get().isHit)
    #expect(try await nginx.send(.put, "release 2").status == .noContent)
    let changed = try await nginx.get()
    #expect(changed.text == "release 2" && !changed.isHit)
    #expect(try await nginx.send(.delete).status == .noContent)
    #expect(try await nginx.get().status == .notFound)
  }

  @Test("The response to HEAD is never given to a GET")
  func head() async throws {
    let nginx = try await CachedNginx("add_header Cache-Control max-age=60;")
    try await nginx.put("release 1", modified: Self.older)
    for isHit in [false, true] {
      let head = try await nginx.send(.head)
      #expect(head.fields[.contentLength] == "9" && head.bytes.isEmpty && head.isHit == isHit)
      let get = try await nginx.get()
      #expect(get.text == "release 1" && get.isHit == isHit)
    }
  }
}
