import Interception
import Testing

@testable import CurlTransport

@Suite("Proxies of the environment")
struct ProxyEnvironmentTests {
  private func proxy(_ variables: [String: String], for url: (WebOrigin.Scheme, String)) throws -> String? {
    let origin = WebOrigin(scheme: url.0, host: url.1, port: url.0 == .https ? 443 : 80)
    return try ProxyTable(ProxyPolicy.environment(variables)).proxy(for: origin).map { "\($0)" }
  }

  @Test(
    "Each scheme has its variable, and all_proxy is for those that have none",
    arguments: [
      ([:], nil, nil),
      (["https_proxy": "http://a:1"], "http://a:1", nil), (["http_proxy": "http://a:1"], nil, "http://a:1"),
      (["all_proxy": "socks5h://a:1"], "socks5://a:1", "socks5://a:1"),
      (["ALL_PROXY": "a:1", "HTTPS_PROXY": "b:2"], "http://b:2", "http://a:1"),
      (["https_proxy": "a:1", "HTTPS_PROXY": "b:2"], "http://a:1", nil),
      (["https_proxy": " ", "HTTPS_PROXY": "b:2"], "http://b:2", nil),
      // The client of a CGI program could have set it.
      (["HTTP_PROXY": "http://evil:1"], nil, nil),
    ] as [([String: String], String?, String?)])
  func schemes(variables: [String: String], secure: String?, plain: String?) throws {
    #expect(try proxy(variables, for: (.https, "api.test")) == secure)
    #expect(try proxy(variables, for: (.http, "api.test")) == plain)
  }

  @Test(
    "The hosts of no_proxy are connected to directly",
    arguments: [
      ("api.test", false), ("v1.api.test", false), ("other.test", true), ("10.1.2.3", false),
      ("11.0.0.1", true), ("[fd00::7]", false), ("[fe80::1]", true), ("10.api", true),
    ])
  func exceptions(host: String, isProxied: Bool) throws {
    let variables = ["all_proxy": "a:1", "no_proxy": " .api.test, 10.0.0.0/8 fd00::/8,"]
    for scheme in [WebOrigin.Scheme.http, .https] {
      #expect((try proxy(variables, for: (scheme, host)) != nil) == isProxied)
    }
    let everything = try proxy(["all_proxy": "a:1", "NO_PROXY": "*"], for: (.http, host))
    #expect(everything == nil)
  }

  @Test(
    "A URL has a kind, a place and credentials",
    arguments: [
      ("proxy.test", Proxy(.http, host: "proxy.test", port: 1080)),
      ("HTTPS://proxy.test/", Proxy(.https, host: "proxy.test", port: 443)),
      ("socks5://[::1]:9050", Proxy(.socks5, host: "::1", port: 9050)),
      ("http://192.0.2.1:8080/path", Proxy(.http, host: "192.0.2.1", port: 8080)),
      (
        "http://ann:o%40p%25@proxy.test:1",
        Proxy(.http, host: "proxy.test", port: 1, credentials: .init(user: "ann", password: "o@p%"))
      ),
      (
        "ann:o@p/e#n@proxy.test:1",
        Proxy(.http, host: "proxy.test", port: 1, credentials: .init(user: "ann", password: "o@p/e#n"))
      ),
      (
        "ann@proxy.test:1",
        Proxy(.http, host: "proxy.test", port: 1, credentials: .init(user: "ann", password: ""))
      ),
    ])
  func urls(text: String, proxy: Proxy) throws {
    #expect(try Proxy(url: text) == proxy)
  }

  @Test(
    "What is no proxy is refused, and neither the password nor the variable's content is shown",
    arguments: [
      "", "http://", "socks4://proxy.test:1", "ftp://proxy.test", "proxy.test:0", "proxy.test:65536",
      "proxy.test:x", "[::1", "[::1]x", "ann:secret@", "ann:secret%4@proxy.test",
      "ann:secret%00@proxy.test:1",
      "a b:1", "ann:secret%FF@proxy.test:1",
    ])
  func faults(text: String) {
    let error = #expect(throws: NetworkError.self) { try Proxy(url: text) }
    #expect(error?.kind == .invalidRequest && error?.reason.contains("secret") == false)
    guard !text.isEmpty else { return }
    let named = #expect(throws: NetworkError.self) { try ProxyPolicy.environment(["all_proxy": text]) }
    #expect(named?.reason.contains("all_proxy") == true && named?.reason.contains("secret") == false)
  }

  @Test(
    "A malformed range in no_proxy is refused", arguments: ["10.0.0.0/33", "10.0.0.0/", "host/8", "1.2.3/8"])
  func ranges(text: String) {
    let error = #expect(throws: NetworkError.self) {
      try ProxyPolicy.environment(["no_proxy": "api.test,\(text)"])
    }
    #expect(error?.reason.contains("no_proxy") == true)
  }

  @Test(
    "Exceptions are separated by commas, spaces or both, in any case",
    arguments: ["a.test,B.Test", "a.test b.test", " ,a.test ,, b.test., ", "*.x\ta.test,\n.b.test"])
  func separators(list: String) throws {
    for host in ["a.test", "b.test", "c.b.test."] {
      #expect(try proxy(["all_proxy": "p:1", "no_proxy": list], for: (.https, host)) == nil)
    }
    #expect(try proxy(["all_proxy": "p:1", "no_proxy": list], for: (.https, "c.test")) != nil)
  }

  @Test("The first rule that applies decides, before the policy's proxy and after its exceptions")
  func rules() throws {
    let (first, second) = (Proxy(.http, host: "a", port: 1), Proxy(.socks5, host: "b", port: 2))
    let policy = ProxyPolicy(
      first,
      rules: [
        .init(nil, for: ["intern.test"]), .init(second, for: ["10.0.0.0/8", "onion"], scheme: "HTTP"),
        .init(first, for: ["onion"]),
      ], except: ["local"])
    let table = try ProxyTable(policy)
    func proxy(_ scheme: WebOrigin.Scheme, _ host: String) -> Proxy? {
      table.proxy(for: WebOrigin(scheme: scheme, host: host, port: 80))
    }
    #expect(proxy(.https, "api.test") == first)
    #expect(proxy(.https, "db.intern.test") == nil)
    #expect(proxy(.http, "10.2.3.4") == second && proxy(.https, "10.2.3.4") == first)
    #expect(proxy(.http, "x.onion") == second && proxy(.https, "x.onion") == first)
    #expect(proxy(.http, "printer.local") == nil)
  }
}
