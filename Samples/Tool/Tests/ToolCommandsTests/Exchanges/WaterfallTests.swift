import Interception
import Testing
import ToolCommands

@Suite struct WaterfallTests {
  private let plain = Ink(isOn: false)

  private func exchange(_ start: Int, _ phases: TransportReport.Phases, status: Int = 200) -> TracedExchange {
    var exchange = TracedExchange(method: "GET", url: "https://a.test/", start: .milliseconds(start))
    exchange.end = .milliseconds(start)
    exchange.outcome = .status(status)
    exchange.transport = TransportReport(
      phases: phases, bytes: .init(received: 2_048, decoded: 4_096), remoteAddress: "127.0.0.1:443",
      version: .http2, contentCoding: .gzip)
    return exchange
  }

  @Test("Each phase has a bar that begins where the one before ends")
  func phases() {
    let phases = TransportReport.Phases(
      queue: .zero, name: .milliseconds(10), connect: .milliseconds(20), tls: .milliseconds(30),
      firstByte: .milliseconds(30), lastByte: .milliseconds(10))
    let waterfall = Waterfall(
      exchanges: [exchange(0, phases)], cache: .forwarded(.uriMiss, stored: true), total: .milliseconds(100))
    #expect(
      waterfall.lines(plain, width: 33) == [
        "GET https://a.test/ → 200",
        "  HTTP/2 to 127.0.0.1:443, new connection, 2.0 KiB received, 4.0 KiB decoded from gzip",
        "  queue       0.00 µs  ▏", "  name        10.0 ms  █", "  connect     20.0 ms   ██",
        "  tls         30.0 ms     ███", "  first byte  30.0 ms        ███",
        "  last byte   10.0 ms           █",
        "total 100 ms, 1 request, cache: fwd=uri-miss; stored",
      ])
  }

  @Test("Attempts, redirects, failures and pauses have lines of their own")
  func several() {
    var failed = TracedExchange(method: "GET", url: "http://a.test/", start: .zero)
    failed.end = .milliseconds(40)
    failed.outcome = .failure("connect")
    var second = exchange(140, .init(firstByte: .milliseconds(10)), status: 302)
    second.attempt = 2
    var hop = exchange(150, .init(firstByte: .milliseconds(10)))
    hop.isHop = true
    hop.address = "127.0.0.1:443"
    let lines = Waterfall(
      exchanges: [failed, second, hop], retryRefusal: "no_attempts_left", total: .milliseconds(160)
    ).lines(plain)
    #expect(lines[0] == "GET http://a.test/ → connect")
    #expect(lines[1].hasPrefix("  until it ended  40.0 ms  █"))
    #expect(lines[2] == "  pause of 100 ms")
    #expect(lines[3] == "attempt 2: GET https://a.test/ → 302")
    #expect(lines[6] == "redirected to GET https://a.test/ → 200")
    #expect(lines[7].hasSuffix("address from --resolve"))
    #expect(lines.last == "total 160 ms, 3 requests, 1 redirect, not retried: no_attempts_left")
  }

  @Test("A call that sent nothing says so")
  func nothing() {
    let lines = Waterfall(exchanges: [], cache: .hit(ttl: 5), total: .milliseconds(1)).lines(plain)
    #expect(lines == ["total 1.00 ms, nothing sent, cache: hit; ttl=5"])
  }

  @Test(
    "A line for each use of a cache",
    arguments: [
      (Exchange.CacheStatus.hit(ttl: 5), "cache: hit, fresh for another 5 s"),
      (.hit(ttl: 5, isHeuristic: true), "cache: hit, fresh for another 5 s by a heuristic lifetime"),
      (.hit(ttl: -5), "cache: hit, stale for 5 s"),
      (.forwarded(.uriMiss, stored: true), "cache: stored; nothing had been stored for the URL before"),
      (.forwarded(.bypass, stored: false), "cache: not used, because of the request"),
      (.forwarded(.uriMiss, stored: false), "cache: not stored, the response does not allow it"),
      (.revalidated(), "cache: revalidated, the server has confirmed the stored response"),
      (.staleOnError(status: 503, ttl: -9), "cache: stale for 9 s, used because the server failed with 503"),
    ])
  func cacheNotes(status: Exchange.CacheStatus, text: String) {
    #expect(CacheNote.text(status) == text)
    #expect(CacheNote.text(nil) == nil)
  }

  @Test("A response that is not stored for the request's credentials says so")
  func cacheNoteOfCredentials() {
    let status = Exchange.CacheStatus.forwarded(.uriMiss, stored: false)
    #expect(CacheNote.text(status, hadCredentials: true)?.contains("the request has Authorization") == true)
    #expect(CacheNote.text(.hit(ttl: 5), hadCredentials: true) == "cache: hit, fresh for another 5 s")
  }
}
