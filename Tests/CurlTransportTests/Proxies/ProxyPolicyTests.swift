import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct ProxyPolicyTests {
  static let proxy = Proxy(.http, host: "proxy.test", port: 3128)

  @Test(
    "An exception is a name with its subdomains, an address or everything",
    arguments: [
      ("example.org", "example.org", true), (".example.org", "example.org", true),
      ("example.org", "API.Example.org", true), ("EXAMPLE.org", "example.org.", true),
      ("example.org", "notexample.org", false), ("api.example.org", "example.org", false),
      ("127.0.0.1", "127.0.0.1", true), ("0.0.1", "127.0.0.1", false), ("::1", "[::1]", true),
      ("*", "any.test", true),
      ("", "any.test", false), ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "128.0.0.1", false),
      ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.128/25", "192.0.2.127", false),
      ("0.0.0.0/0", "192.0.2.1", true), ("0.0.0.0/0", "[::1]", false), ("0.0.0.0/0", "any.test", false),
      ("2001:db8::/32", "[2001:db8:1::1]", true), ("2001:db8::/32", "[2001:db9::1]", false),
    ])
  func exceptions(
    exception: String, host: String, isExcepted: Bool
  ) {
    let origin = WebOrigin(scheme: .https, host: host, port: 443)
    let policy = ProxyPolicy(Self.proxy, except: [exception])
    #expect((policy.proxy(for: origin) == nil) == isExcepted)
    #expect(ProxyPolicy(Self.proxy).proxy(for: origin) == Self.proxy)
    #expect(ProxyPolicy.direct.proxy(for: origin) == nil)
  }

  /// The request target of a request that goes through a proxy.
  private func target(
    _ proxy: Proxy, _ scheme: String, _ path: String, method: HTTPRequest.Method = .get
  ) throws -> String {
    let head = HTTPRequest(method: method, scheme: scheme, authority: "A.test:81", path: path)
    let sites = SiteCache(.init(proxies: ProxyPolicy(proxy), userAgent: nil))
    return try RequestPlan(Request(head), sites: sites, decodable: []).lines.target
  }

  @Test("Outside a tunnel the target is absolute, byte for byte")
  func targets() throws {
    #expect(try target(Self.proxy, "http", "/a/../b?q=%20") == "http://A.test:81/a/../b?q=%20")
    #expect(try target(Self.proxy, "http", "*", method: .options) == "http://A.test:81")
    #expect(try target(Self.proxy, "https", "/a") == "/a")
    var tunnel = Self.proxy
    tunnel.tunnelsHTTP = true
    #expect(try target(tunnel, "http", "/a/../b?q=%20") == "/a/../b?q=%20")
    let socks = Proxy(.socks5, host: "::1", port: 1)
    #expect(try target(socks, "http", "/a/../b?q=%20") == "/a/../b?q=%20")
    #expect(socks.authority == "[::1]:1")
  }

  @Test("Credentials appear in no description and no dump")
  func credentials() {
    var proxy = Self.proxy
    proxy.credentials = .init(user: "alice-name", password: "open-sesame")
    var text = "\(proxy) \(String(reflecting: proxy)) \(String(describing: proxy.credentials))"
    dump(ProxyPolicy(proxy), to: &text)
    #expect(!text.contains("alice-name") && !text.contains("sesame"))
  }

  static let faults: [(Proxy, String)] = [
    (Proxy(.http, host: "", port: 1), "host"), (Proxy(.http, host: "a b", port: 1), "host"),
    (Proxy(.http, host: "user:word@a.test", port: 1), "host"),
    (Proxy(.http, host: "socks4://a.test", port: 1), "host"),
    (Proxy(.http, host: "a.test\0.b.test", port: 1), "host"),
    (Proxy(.http, host: "a.test\r\n", port: 1), "host"),
    (Proxy(.http, host: "127.1", port: 1), "host"), (Proxy(.http, host: "[::1]", port: 1), "host"),
    (Proxy(.http, host: "a.test", port: 0), "port"), (Proxy(.http, host: "a.test", port: 65_536), "port"),
    (Proxy(.http, host: "a.test", port: 1, credentials: .init(user: "word\0", password: "")), "user name"),
    (Proxy(.http, host: "a.test", port: 1, credentials: .init(user: "word:", password: "")), "colon"),
    (Proxy(.https, host: "a.test", port: 1, credentials: .init(user: "", password: "word\r\n")), "password"),
    (
      Proxy(
        .socks5, host: "a.test", port: 1,
        credentials: .init(user: "", password: String(repeating: "word", count: 64))), "255"
    ),
  ]

  @Test("A proxy that libcurl would read otherwise fails requests that it applies to", arguments: faults)
  func checked(proxy: Proxy, word: String) throws {
    let sites = SiteCache(.init(proxies: ProxyPolicy(proxy, except: ["direct.test"]), userAgent: nil))
    let error = try #require(throws: NetworkError.self) {
      _ = try RequestPlan(Request(authority: "any.test", path: "/"), sites: sites, decodable: [])
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(word), "\(error)")
    #expect(!error.reason.contains("wordword") && !error.reason.utf8.contains { $0 < 0x20 })
    _ = try RequestPlan(Request(authority: "direct.test", path: "/"), sites: sites, decodable: [])
  }

  @Test(
    "A proxy by name or by address is fine",
    arguments: [
      Proxy(.http, host: "proxy_1.test", port: 3128, credentials: .init(user: "a", password: ":ü%")),
      Proxy(.socks5, host: "::1", port: 65_535, credentials: .init(user: "a:b", password: "")),
      Proxy(.https, host: "192.0.2.1", port: 1),
    ])
  func passed(proxy: Proxy) throws { try proxy.check() }
}
