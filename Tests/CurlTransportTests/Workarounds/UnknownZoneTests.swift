import Interception
import Testing

@testable import CurlTransport

@Suite struct UnknownZoneTests {
  @Test("Only libcurl from 8.21 on replaces an unknown zone by one of this machine")
  func versions() {
    for version in [LibraryVersion(7, 88), .init(8, 14, 1), .init(8, 20, 1)] {
      #expect(!UnknownZone.isReplaced(by: LoadedLibrary(version: version)))
    }
    for version in [LibraryVersion(8, 21), .init(8, 23)] {
      #expect(UnknownZone.isReplaced(by: LoadedLibrary(version: version)))
    }
  }

  private func unknown(_ authority: String, target: String? = nil, proxy: String? = nil) throws
    -> NetworkError?
  {
    let request = try Request("http://\(authority)/")
    let policy = ProxyPolicy(proxy.map { Proxy(.http, host: $0, port: 3128) })
    let plan = try RequestPlan(request, sites: SiteCache(.init(proxies: policy)))
    do throws(NetworkError) {
      try UnknownZone.check(plan, target: target.map { ConnectTarget(address: $0) }) { $0 == "eth0" }
      return nil
    } catch {
      return error
    }
  }

  @Test("A zone of the URL, the connect target or the proxy that is no interface is named in the error")
  func refused() throws {
    for error in [
      try unknown("[fe80::1%25eth7]"), try unknown("[fe80::1%eth7]:8080"),
      try unknown("a.test", target: "fe80::1%eth7"), try unknown("a.test", target: "fe80::1%25eth7"),
      try unknown("a.test", proxy: "fe80::1%eth7"),
    ] {
      let error = try #require(error)
      #expect(error.kind == .connect && !error.requestMayHaveBeenProcessed)
      #expect(error.reason.contains("interface \"eth7\""), "\(error)")
    }
  }

  @Test("Known zones, addresses without a zone, names, and addresses that are not connected to pass")
  func passed() throws {
    for error in [
      try unknown("[fe80::1%25eth0]"), try unknown("[fe80::1]"), try unknown("a.test"),
      try unknown("192.0.2.1"),
      try unknown("a.test", target: "fe80::1%eth0"), try unknown("[fe80::1%25eth7]", target: "192.0.2.1"),
      try unknown("[fe80::1%25eth7]", proxy: "proxy.test"),
      try unknown("a.test", target: "fe80::1%eth7", proxy: "proxy.test"),
    ] {
      #expect(error == nil)
    }
  }

  @Test("The loopback interface and numbers are zones, a name that no interface has is none")
  func interfaces() {
    #expect(UnknownZone.isInterface("7"))
    #expect(UnknownZone.isInterface("lo") || UnknownZone.isInterface("lo0"))
    #expect(!UnknownZone.isInterface("no-such-link"))
  }
}
