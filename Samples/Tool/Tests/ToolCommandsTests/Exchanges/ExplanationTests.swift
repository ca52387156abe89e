import Interception
import Testing
import ToolCommands

@Suite struct ExplanationTests {
  private func exchange(
    _ url: String, _ status: Int = 200, version: TransportReport.HTTPVersion = .http2, reused: Bool = false,
    start: Int = 0
  ) -> TracedExchange {
    var exchange = TracedExchange(method: "GET", url: url, start: .milliseconds(start))
    exchange.end = .milliseconds(start + 10)
    exchange.outcome = .status(status)
    exchange.transport = TransportReport(
      remoteAddress: "192.0.2.1:443", version: version, connectionWasReused: reused)
    return exchange
  }

  @Test("Address and protocol have a reason each")
  func connection() {
    #expect(
      Explanation(exchanges: [exchange("https://a.test/")]).sentences == [
        "Connected to 192.0.2.1:443, because the name a.test has that address.",
        "Sent by HTTP/2, because the server chose it in the TLS handshake.",
      ])
    var resolved = exchange("https://a.test/", version: .http1)
    resolved.address = "192.0.2.1"
    #expect(
      Explanation(exchanges: [resolved]).sentences == [
        "Connected to 192.0.2.1:443, because --resolve names it for the host.",
        "Sent by HTTP/1.1, because the server did not choose HTTP/2 in the TLS handshake.",
      ])
    var socket = Explanation(exchanges: [exchange("http://docker:80/", version: .http1)])
    socket.options.sockets = ["docker": "/run/d.sock"]
    #expect(
      socket.sentences == [
        "Connected over the socket /run/d.sock, because --unix-socket names it for the host.",
        "Sent by HTTP/1.1, because without TLS HTTP/2 is used only for a host that --http2-host names.",
      ])
    for url in ["https://192.0.2.1/", "https://[2001:db8::1]:8443/"] {
      #expect(
        Explanation(exchanges: [exchange(url)]).sentences[0].hasSuffix("because the URL names the address."))
    }
    var proxied = Explanation(exchanges: [exchange("https://a.test/")])
    proxied.options.proxyOption = "--proxy"
    #expect(proxied.sentences[0] == "Connected to 192.0.2.1:443; --proxy decides whether that is a proxy.")
  }

  @Test("HTTP/3 has the reason why it was or was not used")
  func http3() {
    func sentence(
      _ version: TransportReport.HTTPVersion, _ outcome: TransportReport.HTTP3Outcome, _ tries: Bool
    )
      -> String
    {
      var exchange = exchange("https://a.test/", version: version)
      exchange.transport?.http3 = outcome
      var explanation = Explanation(exchanges: [exchange])
      explanation.options.triesHTTP3 = tries
      return explanation.sentences[1]
    }
    #expect(sentence(.http3, .used, true) == "Sent by HTTP/3, because --http3 tries it first.")
    #expect(sentence(.http3, .used, false) == "Sent by HTTP/3, because the server has advertised it.")
    let http2 = "Sent by HTTP/2, because the server chose it in the TLS handshake"
    #expect(
      sentence(.http2, .lostRace, true) == "\(http2); HTTP/3: \(TransportReport.HTTP3Outcome.lostRace).")
    #expect(sentence(.http2, .notAdvertised, false) == "\(http2).")
  }

  @Test("A redirect names its status, why the method changed, and that credentials were left out")
  func redirects() {
    var first = exchange("https://a.test/", 303)
    first.method = "POST"
    first.hasCredentials = true
    var second = exchange("https://b.test/")
    second.isHop = true
    let sentences = Explanation(exchanges: [first, second]).sentences
    #expect(
      sentences[2]
        == "Redirected to https://b.test/, because the server responded with 303. POST became GET: 303 asks for that."
    )
    #expect(sentences[3] == "The credentials were left out, because the redirect leads to another origin.")
    #expect(sentences[4].contains("the name b.test"))
    var again = exchange("https://a.test/b")
    again.isHop = true
    #expect(
      Explanation(exchanges: [exchange("https://a.test/", 302), again]).sentences.last
        == "It was sent over a new connection to the same server.")
    var same = exchange("https://a.test/c", reused: true)
    same.isHop = true
    same.hasCredentials = true
    #expect(
      Explanation(exchanges: [exchange("https://a.test/", 302), same]).sentences.suffix(2) == [
        "Redirected to https://a.test/c, because the server responded with 302.",
        "The connection of the request before was used again.",
      ])
  }

  @Test("A retry names the pause and its reason, and the end says why there is no other one")
  func retries() {
    var first = exchange("https://a.test/", 503)
    first.retryAfter = "1"
    var second = TracedExchange(
      method: "GET", url: "https://a.test/", attempt: 2, start: .milliseconds(1_010))
    second.end = .milliseconds(1_020)
    second.outcome = .failure("connect")
    var explanation = Explanation(exchanges: [first, second])
    explanation.retryRefusal = "no_attempts_left"
    explanation.options.retries = true
    #expect(
      explanation.sentences.suffix(3) == [
        "Sent again as attempt 2 after a pause of 1.00 s, because the server responded with 503 and Retry-After: 1.",
        "GET https://a.test/ failed: no connection could be made.",
        "Not sent again: it was the last attempt that --retry allows.",
      ])
    #expect(
      Explanation(exchanges: [exchange("https://a.test/", 503)]).sentences.last
        == "Not sent again, because there is no --retry N.")
  }

  @Test("The cache and a coding have a sentence, and a call that sent nothing says so")
  func cache() {
    var explanation = Explanation(exchanges: [])
    explanation.cache = .hit(ttl: 5)
    #expect(
      explanation.sentences == [
        "Nothing was sent: the cache had the response.", "The cache: hit, fresh for another 5 s.",
      ])
    var coded = exchange("https://a.test/")
    coded.transport?.contentCoding = .gzip
    coded.transport?.bytes = .init(received: 1_024, decoded: 4_096)
    #expect(
      Explanation(exchanges: [coded]).sentences.last
        == "The content was received in gzip, 1.0 KiB of it, and decoded.")
  }

  @Test("A drawing as SVG has each phase, escapes its texts, and has no script")
  func svg() {
    var exchange = exchange("https://a.test/?a=<script>&b=\"1\"")
    exchange.transport?.phases = .init(name: .zero, connect: .milliseconds(20), tls: .milliseconds(30))
    let svg = Waterfall(exchanges: [exchange], total: .milliseconds(100)).svg()
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(svg.contains("?a=&lt;script&gt;&amp;b=&quot;1&quot; → 200</text>"))
    #expect(!svg.contains("<script"))
    // A fifth of 684 columns, from the left edge of the bars.
    #expect(svg.contains(#"<rect class="connect" x="200.0" y="79" width="136.8""#))
    #expect(svg.contains(#"<rect class="tls" x="336.8""#))
    #expect(svg.contains("total 100 ms, 1 request</text>"))
    let long = self.exchange("https://a.test/" + String(repeating: "x", count: 500))
    #expect(Waterfall(exchanges: [long], total: .milliseconds(100)).svg().contains("xxx…</text>"))
  }
}
