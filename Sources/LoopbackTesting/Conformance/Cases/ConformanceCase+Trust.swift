#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  private static func refuses(
    _ context: ConformanceContext, _ certificate: LoopbackCertificates.Kind,
    _ faults: NetworkError.TLSFault...
  ) async throws {
    try await context.secureServer([.http1, .http2], certificate: certificate) { server in
      let error = try await context.failure(
        server.place.request("/echo", method: .post, body: .text("secret")))
      try context.expect(error, faults.map { .tls($0) }, processed: false)
      try context.expect(server.counts.begunRequests, is: 0, "the number of requests that arrived")
    }
  }

  /// A server with a certificate of a trusted authority is accepted.
  public static let trusted = ConformanceCase(
    "trusted", "a server with a certificate of a trusted authority is accepted, also over HTTP/1.1",
    needs: [.wire, .tls]
  ) { context in
    try await context.secureServer([.http1]) { server in
      let content = try await context.content(
        server.place.request("/echo", method: .post, body: .text("hello")))
      try context.expect(content, is: Array("hello".utf8), "the content")
      try context.expect(try await server.takeRequest().version, is: .http1, "the version")
    }
  }

  /// An expired certificate is refused.
  public static let expired = ConformanceCase(
    "expired", "an expired certificate is refused, and nothing is sent", needs: [.wire, .tls]
  ) { context in try await refuses(context, .expired, .expired) }

  /// A certificate for another host name is refused.
  public static let wrongName = ConformanceCase(
    "wrongName", "a certificate for another host name is refused, and nothing is sent", needs: [.wire, .tls]
  ) { context in try await refuses(context, .wrongName, .nameMismatch) }

  /// A self-signed certificate is refused.
  public static let selfSigned = ConformanceCase(
    "selfSigned", "a self-signed certificate is refused, and nothing is sent",
    needs: [.wire, .tls]
  ) { context in try await refuses(context, .selfSigned, .untrusted) }

  /// Versions of TLS older than 1.2 are refused.
  public static let oldTLS = ConformanceCase(
    "oldTLS", "a server that supports only TLS 1.1 and older is refused", needs: [.wire, .tls]
  ) { context in
    let configuration = LoopbackConfiguration(
      security: .tls(context.certificates), versions: [.http1], tlsVersions: .tls10 ... .tls11)
    try await context.server(configuration) { server in
      try await context.failure(server.place.request("/"), .tls(.handshake), processed: false)
    }
  }

  /// A server without TLS is refused for https.
  public static let noTLS = ConformanceCase(
    "noTLS", "a server without TLS is refused for https", needs: [.wire, .tls]
  ) { context in
    try await context.server { server in
      let place = ConformancePlace(scheme: "https", authority: "localhost:\(server.port)")
      try await context.failure(place.request("/"), .tls(.handshake), processed: false)
    }
  }

  static let trust = [trusted, expired, wrongName, selfSigned, oldTLS, noTLS]
}
#endif
