#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  /// The connection is refused.
  static let refusedPort = ConformanceCase(
    "refusedPort", "a refused connection is a connect failure, and nothing was processed", needs: .wire
  ) { context in
    let port = try ClosedPort()
    let place = ConformancePlace(scheme: "http", authority: "127.0.0.1:\(port.number)")
    try await context.failure(place.request("/", method: .post), .connect, processed: false)
  }

  /// The host name has no address.
  static let unknownHost = ConformanceCase(
    "unknownHost", "a host name without an address is a resolve failure, and nothing was processed",
    needs: .wire
  ) { context in
    let place = ConformancePlace(scheme: "http", authority: "nowhere.invalid")
    try await context.failure(place.request("/"), .resolve, processed: false)
  }

  /// The connection is opened to the connect target, and the host name is unchanged.
  static let connectTarget = ConformanceCase(
    "connectTarget",
    "a connection is opened to the connect target; Host, SNI and certificate check use the URL's host",
    needs: [.wire, .tls, .connectTarget]
  ) { context in
    try await context.secureServer([.http1, .http2]) { server in
      let place = ConformancePlace(scheme: "https", authority: LoopbackCertificates.name)
      var request = place.request("/echo")
      request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.port)
      let response = try await context.send(request)
      try context.expect(response.head.value("x-authority"), is: LoopbackCertificates.name, "the authority")
      let other = ConformancePlace(scheme: "https", authority: "stranger.switchyard.test")
      request = other.request("/echo")
      request.context.connectTarget = ConnectTarget(address: "127.0.0.1", port: server.port)
      try await context.failure(request, .tls(.nameMismatch), processed: false)
    }
  }

  /// Connections are reused.
  static let reuse = ConformanceCase(
    "reuse", "consecutive requests share a connection", needs: .wire
  ) { context in
    try await context.server { server in
      for _ in 0..<8 { _ = try await context.content(server.place.request("/pattern/100")) }
      try context.expect(server.counts.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// The transport report contains version, address, byte counts and reuse.
  static let reported = ConformanceCase(
    "reported", "the transport report contains version, address, byte counts and reuse",
    needs: [.wire, .report]
  ) { context in
    try await context.server { server in
      for isReused in [false, true] {
        let response = try await context.send(
          server.place.request("/echo", method: .post, body: .bytes([1, 2, 3])))
        guard let report = response.exchange.transport else {
          throw ConformanceError("the response has no transport report")
        }
        try context.expect(report.version, is: .http1, "the version")
        try context.expect(report.remoteAddress, is: "127.0.0.1:\(server.port)", "the address")
        try context.expect(report.connectionWasReused, is: isReused, "connectionWasReused")
        try context.expect(report.bytes, is: .init(sent: 3, received: 3, decoded: 3), "the bytes")
      }
    }
  }

  static let connecting = [refusedPort, unknownHost, connectTarget, reuse, reported]
}

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
  static let trusted = ConformanceCase(
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
  static let expired = ConformanceCase(
    "expired", "an expired certificate is refused, and nothing is sent", needs: [.wire, .tls]
  ) { context in try await refuses(context, .expired, .expired) }

  /// A certificate for another host name is refused.
  static let wrongName = ConformanceCase(
    "wrongName", "a certificate for another host name is refused, and nothing is sent", needs: [.wire, .tls]
  ) { context in try await refuses(context, .wrongName, .nameMismatch) }

  /// A self-signed certificate is refused.
  static let selfSigned = ConformanceCase(
    "selfSigned", "a self-signed certificate is refused, and nothing is sent",
    needs: [.wire, .tls]
  ) { context in try await refuses(context, .selfSigned, .untrusted) }

  /// Versions of TLS older than 1.2 are refused.
  static let oldTLS = ConformanceCase(
    "oldTLS", "a server that supports only TLS 1.1 and older is refused", needs: [.wire, .tls]
  ) { context in
    var configuration = LoopbackConfiguration(
      security: .tls(context.certificates), versions: [.http1])
    configuration.tlsVersions = .tls10 ... .tls11
    try await context.server(configuration) { server in
      try await context.failure(server.place.request("/"), .tls(.handshake), processed: false)
    }
  }

  /// A server without TLS is refused for https.
  static let noTLS = ConformanceCase(
    "noTLS", "a server without TLS is refused for https", needs: [.wire, .tls]
  ) { context in
    try await context.server { server in
      let place = ConformancePlace(scheme: "https", authority: "localhost:\(server.port)")
      // The server may answer what it takes for a request, or close the connection.
      try await context.failure(place.request("/"), .tls(.handshake), .connect, processed: false)
    }
  }

  static let trust = [trusted, expired, wrongName, selfSigned, oldTLS, noTLS]
}
#endif
