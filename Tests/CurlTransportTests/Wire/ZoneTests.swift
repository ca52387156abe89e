import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// The zones of link-local addresses (RFC 6874).
@Suite("Zones of addresses", .timeLimit(.minutes(5)))
struct ZoneTests {
  private func plan(
    _ authority: String, target: ConnectTarget? = nil, proxy: Proxy? = nil
  ) throws -> RequestPlan {
    var request = try Request("http://\(authority)/a")
    request.context.connectTarget = target
    let sites = SiteCache(.init(proxies: ProxyPolicy(proxy), userAgent: nil))
    return try RequestPlan(request, sites: sites)
  }

  @Test(
    "A zone in either form leads the connection and is not sent",
    arguments: [
      ("[fe80::1%25eth0]", "[fe80::1%25eth0]:80", "[fe80::1]"),
      ("[fe80::1%eth0]:8080", "[fe80::1%25eth0]:8080", "[fe80::1]:8080"),
      ("[FE80::A%25Wlan-1.2_~]", "[fe80::a%25Wlan-1.2_~]:80", "[FE80::A]"),
      ("[febf::1%3]", "[febf::1%253]:80", "[febf::1]"), ("[fe80::1%25]", "[fe80::1%2525]:80", "[fe80::1]"),
      ("[fe80::1]:80", "[fe80::1]:80", "[fe80::1]:80"),
    ])
  func forms(authority: String, place: String, host: String) throws {
    let plan = try plan(authority)
    #expect("\(plan.origin)" == place)
    #expect(plan.site.options.url == "http://\(authority.contains("%") ? place : authority)/")
    #expect(
      String(decoding: plan.lines.headers.bytes, as: UTF8.self).split(separator: "\0").first
        == "Host: \(host)")
    let proxied = try self.plan(authority, proxy: Proxy(.http, host: "proxy.test", port: 1))
    #expect(proxied.lines.target == "http://\(host)/a")
  }

  @Test(
    "A zone that is malformed, or of an address that is not link-local, is refused with the reason",
    arguments: [
      ("[::1%25lo]", "only link-local"), ("[2001:db8::1%eth0]", "only link-local"),
      ("[fec0::1%25eth0]", "only link-local"), ("[ff02::1%25eth0]", "only link-local"),
      ("[fe80::1%]", "a zone that is not"), ("[fe80::1%25eth%2D0]", "a zone that is not"),
      ("[fe80::1%25sixteen-letters-]", "a zone that is not"), ("[fe80::1%25eth0/x]", ""),
      ("[fe80%25eth0]", "is not an IPv6 address"), ("[127.0.0.1%25lo]", ""),
    ])
  func faults(authority: String, words: String) throws {
    let error = try #require(throws: NetworkError.self) { _ = try plan(authority) }
    #expect(error.kind == .invalidRequest)
    #expect(error.reason.contains(words), "\(error)")
  }

  @Test("A connect target and a proxy may name a zone")
  func targets() throws {
    let line = try plan("a.test", target: ConnectTarget(address: "fe80::1%25eth0", port: 81)).exchange
      .connectTo
    #expect(line.map { String(decoding: $0.bytes, as: UTF8.self) } == "a.test:80:[fe80::1%eth0]:81\0")
    let own = try plan("[fe80::2%25eth1]", target: ConnectTarget(address: "fe80::1%eth0")).exchange.connectTo
    #expect(own.map { String(decoding: $0.bytes, as: UTF8.self) } == "[fe80::2]:80:[fe80::1%eth0]:80\0")
    for address in ["::1%eth0", "127.0.0.1%lo"] {
      let error = #expect(throws: NetworkError.self) {
        _ = try plan("a.test", target: ConnectTarget(address: address))
      }
      #expect(error?.reason.contains("only link-local") == true, "\(String(describing: error))")
    }
    let proxy = Proxy(.http, host: "fe80::1%eth0", port: 3128)
    try proxy.check()
    #expect(proxy.authority == "[fe80::1%25eth0]:3128")
    #expect(throws: NetworkError.self) { try Proxy(.http, host: "2001:db8::1%eth0", port: 1).check() }
    #expect(try Proxy(url: "http://[fe80::1%25eth0]:3128").authority == proxy.authority)
  }

  @Test(
    "A server on the link is reached by URL, by a connect target and through a proxy there",
    .enabled(if: LinkLocalServer.place != nil, "no interface has a link-local address"))
  func wire() async throws {
    let place = try #require(LinkLocalServer.place)
    let server = try await LinkLocalServer("\(place.address)%\(place.zone)")
    let dispatcher = CurlDispatcher()
    func host(_ request: Request) async throws -> String {
      String(decoding: try await dispatcher.dispatch(request).body.collect(upTo: 1_000), as: UTF8.self)
    }
    for sign in ["%25", "%"] {
      let request = try Request("http://[\(place.address)\(sign)\(place.zone)]:\(server.port)/")
      #expect(try await host(request) == "[\(place.address)]:\(server.port)")
    }
    var named = try Request("http://printer.test/")
    named.context.connectTarget = ConnectTarget(address: "\(place.address)%\(place.zone)", port: server.port)
    #expect(try await host(named) == "printer.test")

    let proxy = Proxy(.http, host: "\(place.address)%\(place.zone)", port: server.port)
    let proxied = CurlDispatcher(configuration: .init(proxies: ProxyPolicy(proxy)))
    let response = try await proxied.dispatch(Request("http://printer.test/"))
    #expect(try await response.body.collect(upTo: 1_000) == Array("printer.test".utf8))

    let nowhere = await failure { () async throws(NetworkError) in
      try await dispatcher.dispatch(Request("http://[fe80::1%25no-such-link]/"))
    }
    #expect(nowhere?.kind == .connect || nowhere?.kind == .resolve, "\(String(describing: nowhere))")
    #expect(nowhere?.requestMayHaveBeenProcessed == false)
    await dispatcher.shutdown()
    await proxied.shutdown()
  }
}
