import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct ProxyPolicyTests {
  static let proxy = Proxy(.http, host: "proxy.test", port: 3128)

  static let exceptions: [(String, String, Bool)] = [
    ("example.org", "example.org", true), (".example.org", "example.org", true),
    ("example.org", "API.Example.org", true), ("EXAMPLE.org", "example.org.", true),
    ("example.org.", "api.example.org", true), (" example.org\t", "example.org", true),
    ("example.org", "notexample.org", false), ("api.example.org", "example.org", false),
    ("example.org", "[::1]", false), ("*", "any.test", true), ("*", "192.0.2.1", true),
    // Patterns.
    ("*.example.org", "api.example.org", true), ("*.EXAMPLE.org.", "v1.api.example.org.", true),
    ("*.example.org", "example.org", false), ("*.example.org", "badexample.org", false),
    ("*example.org", "example.org", true), ("*example.org", "badexample.org", true),
    ("api-*.example.org", "api-7.example.org", true), ("api-*.example.org", "x.api-7.example.org", false),
    ("*.internal.*", "a.internal.test", true), ("*.internal.*", "internal.test", false),
    ("a*b*c.test", "aXXbYYbZc.test", true), ("a*b*c.test", "aXXbYYd.test", false),
    ("*.example.org", "192.0.2.1", false),
    // Addresses.
    ("127.0.0.1", "127.0.0.1", true), ("::1", "[::1]", true), ("[::1]", "[::1]", true),
    ("0:0::1", "[::1]", true), ("[2001:DB8::1]", "[2001:db8:0::1]", true), ("::1", "[::2]", false),
    ("fe80::1", "[fe80::1%25eth0]", true), ("fe80::1%eth0", "[fe80::1%eth0]", true),
    ("fe80::1%eth0", "[fe80::1%25eth1]", false),
    ("127.*", "127.1.2.3", true), ("127.*", "128.0.0.1", false), ("127.*", "127.example.org", false),
    ("10.1.*.*", "10.1.2.3", true), ("10.*.3", "10.1.2.3", true), ("10.1.*.*", "10.2.2.3", false),
    ("192.168.1.*", "192.168.1.77", true), ("192.168.1.*", "192.168.11.7", false),
    // Ranges.
    ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "128.0.0.1", false),
    ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.128/25", "192.0.2.127", false),
    ("169.254/16", "169.254.7.1", true), ("169.254/16", "169.253.7.1", false), ("10/8", "10.1.2.3", true),
    ("172.16/12", "172.31.0.1", true), ("172.16/12", "172.32.0.1", false),
    ("0.0.0.0/0", "192.0.2.1", true), ("0.0.0.0/0", "[::1]", false), ("0.0.0.0/0", "any.test", false),
    ("2001:db8::/32", "[2001:db8:1::1]", true), ("2001:db8::/32", "[2001:db9::1]", false),
    ("[2001:db8::]/32", "[2001:db8:1::1]", true), ("[2001:db8::/32]", "[2001:db8:1::1]", true),
    ("fe80::/10", "[fe80::1%25eth0]", true),
    // Ports; the requests have 443.
    ("example.org:443", "api.example.org", true), ("example.org:8443", "example.org", false),
    ("*.example.org:443", "api.example.org", true), ("*:8443", "any.test", false),
    ("*:443", "any.test", true),
    ("127.*:443", "127.0.0.1", true), ("127.0.0.1:80", "127.0.0.1", false), ("[::1]:443", "[::1]", true),
    ("[::1]:80", "[::1]", false), ("10.0.0.0/8:443", "10.1.2.3", true), ("[fd00::/8]:443", "[fd00::1]", true),
    // Names of one label.
    ("<local>", "printer", true), ("<LOCAL>", "printer.", true), ("<local>", "printer.test", false),
    ("<local>", "[::1]", false), ("<local>", "127.0.0.1", false), ("localhost", "localhost", true),
  ]

  @Test("An exception names hosts in each form that is understood", arguments: exceptions)
  func matching(exception: String, host: String, isExcepted: Bool) throws {
    let origin = WebOrigin(scheme: .https, host: host, port: 443)
    func proxy(_ policy: ProxyPolicy) throws -> Proxy? { try ProxyTable(policy).proxy(for: origin) }
    #expect(try (proxy(ProxyPolicy(Self.proxy, except: [exception])) == nil) == isExcepted)
    // A rule's hosts are read in the same way.
    let rule = ProxyPolicy(nil, rules: [.init(Self.proxy, for: [exception])])
    #expect(try (proxy(rule) == Self.proxy) == isExcepted)
    #expect(try proxy(ProxyPolicy(Self.proxy)) == Self.proxy)
    #expect(try proxy(.direct) == nil)
  }

  @Test(
    "An entry that is not understood fails every request, and the error names it",
    arguments: [
      "", " ", ".", "..example.org", "example..org", "a.test,b.test", "a.test b.test", "http://a.test",
      "a.test/path", "a.test:", "a.test:0", "a.test:65536", "a.test:*", "a.test:https", "0.0.1", "127.1",
      "10.",
      "0x7f.1", "256.*", "1.2.3.4.*", "10.1.*.*.*", "01.*", "192.0.2.1.5", "10.0.0.0/33", "10.0.0.0/", "/8",
      "10.0.0.0/255.0.0.0", "1.2.3/8", "host/8", "::1/129", "[::1", "::1]", "[::1]x", "[127.0.0.1]", "::*",
      "2001:db8::1%eth0", "<-loopback>", "<other>", "bücher.test", "a_b?.test", "*..test", "(.*)",
      "2001:db8::1:8080:9:9:9:9:9:9",
    ])
  func malformed(entry: String) throws {
    let policies = [
      ProxyPolicy(Self.proxy, except: ["a.test", entry]),
      ProxyPolicy(Self.proxy, rules: [.init(nil, for: [entry])]),
    ]
    for policy in policies {
      let sites = SiteCache(.init(proxies: policy, userAgent: nil))
      let error = try #require(throws: NetworkError.self) {
        _ = try RequestPlan(Request(authority: "other.test", path: "/"), sites: sites)
      }
      #expect(error.kind == .invalidRequest)
      #expect(
        error.reason.contains("\"\(entry.printable)\"") && error.reason.contains("ProxyPolicy"), "\(error)")
    }
    guard !entry.contains(where: { $0 == "," || $0.isWhitespace }), !entry.isEmpty else { return }
    let named = #expect(throws: NetworkError.self) {
      try ProxyPolicy.environment(["no_proxy": "a.test,\(entry)"])
    }
    #expect(named?.reason.contains("no_proxy") == true && named?.reason.contains(entry.printable) == true)
  }

  @Test("An entry that may hold a password is not shown")
  func secret() throws {
    let error = try #require(throws: NetworkError.self) {
      _ = try ProxyTable(ProxyPolicy(Self.proxy, except: ["ann:sesame@a.test"]))
    }
    #expect(!error.reason.contains("sesame"))
  }

  @Test("A rule for a scheme that no request has is refused")
  func scheme() throws {
    let error = try #require(throws: NetworkError.self) {
      _ = try ProxyTable(ProxyPolicy(nil, rules: [.init(Self.proxy, scheme: "ftp")]))
    }
    #expect(error.reason.contains("\"ftp\""))
  }

  /// The request target of a request that goes through a proxy.
  private func target(
    _ proxy: Proxy, _ scheme: String, _ path: String, method: HTTPRequest.Method = .get
  ) throws -> String {
    let head = HTTPRequest(method: method, scheme: scheme, authority: "A.test:81", path: path)
    let sites = SiteCache(.init(proxies: ProxyPolicy(proxy), userAgent: nil))
    return try RequestPlan(Request(head), sites: sites).lines.target
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
      _ = try RequestPlan(Request(authority: "any.test", path: "/"), sites: sites)
    }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(word), "\(error)")
    #expect(!error.reason.contains("wordword") && !error.reason.utf8.contains { $0 < 0x20 })
    _ = try RequestPlan(Request(authority: "direct.test", path: "/"), sites: sites)
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
