import CurlTransport
import HTTPTypes
import Interception
import LoopbackTesting
import Testing

/// The examples of the documentation, which `DocumentationTests` compares with these.
@Suite(.timeLimit(.minutes(5))) struct DocumentedExampleTests {
  private struct MyDispatcher: Dispatcher {
    let curl: CurlDispatcher

    init(trusting authorityFile: String) {
      curl = CurlDispatcher(configuration: .init(tls: TLSPolicy(authorityFile: authorityFile)))
    }

    var capabilities: DispatcherCapabilities { curl.capabilities }

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      try await curl.dispatch(request)
    }
  }

  @Test("A server that is started and stopped by the test answers by its script, and then by its handler")
  func starting() async throws {
    let dispatcher = CurlDispatcher()
    let server = try await LoopbackServer.start { request in .text("hello, \(request.path)") }
    server.enqueue(.text("half of it").failing(.responseBody, .reset))
    let request = Request(scheme: server.scheme, authority: server.authority, path: "/homes")
    await #expect(throws: NetworkError.self) { try await dispatcher.dispatch(request) }
    #expect(try await dispatcher.dispatch(request).status == .ok)
    #expect(server.requests.map(\.path) == ["/homes", "/homes"])
    try await server.stop()
  }

  @Test("A server that serves a closure answers by its script, and then by its handler")
  func serving() async throws {
    let dispatcher = CurlDispatcher()
    try await LoopbackServer.serving { request in
      .text("hello, \(request.path)")
    } _: { server in
      server.enqueue(.text("half of it").failing(.responseBody, .reset))
      let request = Request(scheme: server.scheme, authority: server.authority, path: "/homes")
      await #expect(throws: NetworkError.self) { try await dispatcher.dispatch(request) }
      let response = try await dispatcher.dispatch(request)
      #expect(try await response.body.collect(upTo: 100) == Array("hello, /homes".utf8))
    }
  }

  /// Compiled only: `CurlConformanceTests` runs the cases.
  private func conformance() async throws {
    let report = try await runDispatcherConformance(
      excluding: ["http2GoAway": "the library does not report it"]
    ) { setting in
      MyDispatcher(trusting: setting.authorityFile)
    }
    #expect(report.violations.isEmpty, "\(report)")
  }
}
