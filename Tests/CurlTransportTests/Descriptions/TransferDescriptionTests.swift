import CLibcurl
import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite("A transfer's description", .timeLimit(.minutes(5)))
struct TransferDescriptionTests {
  /// One change of a request or of the dispatcher's configuration.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    var request: @Sendable (inout Request) -> Void = { _ in }
    var configuration: @Sendable (inout CurlDispatcher.Configuration) -> Void = { _ in }
    var testDescription: String { name }
  }

  static let changes = [
    Change(name: "the path", request: { $0.head.path = "/other" }),
    Change(name: "a field", request: { $0.head.headerFields[.accept] = "text/plain" }),
    Change(name: "the method", request: { $0.head.method = .delete }),
    Change(name: "the method without content", request: { $0.head.method = .head }),
    Change(
      name: "a body",
      request: {
        $0.head.method = .put; $0.body = .bytes([1, 2, 3])
      }),
    Change(name: "the priority", request: { $0.options.priority = .high }),
    Change(name: "the connect limit", request: { $0.options.timeouts.connect = .seconds(3) }),
    Change(name: "the codings", request: { $0.head.headerFields[.acceptEncoding] = "gzip" }),
    Change(name: "the address", request: { $0.context.connectTarget = ConnectTarget(address: "127.0.0.2") }),
    Change(name: "the host", request: { $0.head.authority = "b.test" }),
    Change(name: "the scheme", request: { $0.head.scheme = "http" }),
    Change(name: "the port", request: { $0.head.authority = "a.test:8443" }),
    Change(
      name: "a proxy", configuration: { $0.proxies = ProxyPolicy(Proxy(.http, host: "p.test", port: 8080)) }),
    Change(
      name: "pins",
      configuration: { configuration in
        let pins = [
          "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
        ]
        try? configuration.tls.pins.pin("a.test", to: pins.map { "sha256/\($0)" })
      }),
    Change(
      name: "a client certificate",
      configuration: {
        $0.tls.clientCertificate = ClientCertificate(certificateFile: "c.pem", keyFile: "k.pem")
      }),
    Change(name: "a socket", configuration: { $0.connections.sockets = ["a.test": "/run/a.socket"] }),
    Change(name: "the user agent", configuration: { $0.userAgent = "Other" }),
  ]

  private func description(_ change: Change? = nil) throws -> TransferDescription {
    var request = Request(HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
    var configuration = CurlDispatcher.Configuration()
    change?.request(&request)
    change?.configuration(&configuration)
    let plan = try RequestPlan(request, sites: SiteCache(configuration))
    return TransferDescription(site: plan.site, exchange: plan.exchange, lines: plan.lines)
  }

  @Test("Two equal requests have equal descriptions, even if their site was parsed twice")
  func equal() throws {
    let (first, second) = try (description(), description())
    #expect(first.site !== second.site)
    #expect(first == second)
  }

  @Test("A change that libcurl must be told of makes the description another one", arguments: changes)
  func differs(change: Change) throws {
    #expect(try description() != description(change))
    #expect(try description(change) == description(change))
  }

  @Test("A reused handle accepts each description after each other one", arguments: changes)
  func applied(change: Change) throws {
    let handle = try #require(ReusableHandle())
    try handle.prepare(HandleDefaults(configuration: .init(), receiveBuffer: .alone))
    for other in Self.changes {
      try handle.apply(description(other))
      try handle.apply(description(change))
      try handle.apply(description())
    }
  }

  @Test("No option of a request reaches the next one over the same handle")
  func leavesNothing() async throws {
    let server = try ScriptedServer { _ in .text("ok") }
    let dispatcher = CurlDispatcher(configuration: .init(limits: .init(total: 1)))
    let plain = Request.get(server)
    _ = try await dispatcher.dispatch(plain)
    let first = try #require(server.requests.last)
    let others: [@Sendable (inout Request) -> Void] = [
      {
        $0.head.method = .put; $0.body = .bytes(Array("body".utf8))
      },
      { $0.head.method = .head },
      { $0.head.method = .post },
      {
        $0.head.method = .delete; $0.head.headerFields[.accept] = "text/plain"
      },
      { $0.head.headerFields[.acceptEncoding] = "gzip" },
      { $0.head.path = "/other" },
    ]
    for change in others {
      _ = try await dispatcher.dispatch(plain.with(change))
      _ = try await dispatcher.dispatch(plain)
      let last = try #require(server.requests.last)
      #expect(last.method == first.method)
      #expect(last.target == first.target)
      #expect(last.fields.map { "\($0)" } == first.fields.map { "\($0)" })
    }
    #expect(server.counts.accepted == 1)
  }
}
