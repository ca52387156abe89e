import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// What tests of HTTP/3 share: the conditions on which they run, and dispatchers that trust a server.
enum HTTP3Bench {
  /// Whether the loaded libcurl has HTTP/3; Scripts/newer-libcurl has one.
  static var isSupported: Bool { LoadedLibrary.loaded().hasHTTP3 }

  static func dispatcher(
    _ server: CaddyServer, _ use: HTTP3Use = .first, limits: CurlDispatcher.Limits = .init(),
    _ change: (inout CurlDispatcher.Configuration) -> Void = { _ in }
  ) -> CurlDispatcher {
    var configuration = CurlDispatcher.Configuration(
      limits: limits, tls: TLSPolicy(authorityFile: server.certificates.authorityFile), http3: use)
    configuration.sendsContentOverHTTP3 = true
    change(&configuration)
    return CurlDispatcher(configuration: configuration)
  }

  static func request(_ port: Int, _ path: String = "/echo", partition: String = "") -> Request {
    var request = Request(authority: "127.0.0.1:\(port)", path: path)
    request.context.partition = partition
    return request
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a suite over HTTP/3: on a libcurl that has it, and where Caddy is installed.
  static var http3: Self {
    .enabled(
      if: HTTP3Bench.isSupported, "it needs a libcurl with HTTP/3 (Scripts/newer-libcurl --version 8.23)")
  }

  static var caddy: Self {
    .enabled(if: CaddyServer.runsSuites, "Caddy is not installed (Scripts/install-dependencies --http3)")
  }
}

extension CurlDispatcher {
  /// Sends a request, reads its response, and returns the report and the first line of the content.
  func line(_ request: Request) async throws -> (report: TransportReport, line: String) {
    let response = try await dispatch(request)
    let text = String(decoding: try await response.body.collect(upTo: 1_000), as: UTF8.self)
    return (try #require(response.exchange.transport), text.prefix { $0 != "\n" }.description)
  }
}
