#if LoopbackTesting
import HTTPTypes
import Interception

extension ConformanceCase {
  /// The connection is refused.
  public static let refusedPort = ConformanceCase(
    "refusedPort", "a refused connection is a connect failure, and nothing was processed", needs: .wire
  ) { context in
    let port = try ClosedPort()
    let place = ConformancePlace(scheme: "http", authority: "127.0.0.1:\(port.number)")
    try await context.failure(place.request("/", method: .post), .connect, processed: false)
  }

  /// The host name has no address.
  public static let unknownHost = ConformanceCase(
    "unknownHost", "a host name without an address is a resolve failure, and nothing was processed",
    needs: .wire
  ) { context in
    let place = ConformancePlace(scheme: "http", authority: "nowhere.invalid")
    try await context.failure(place.request("/"), .resolve, processed: false)
  }

  /// The connection is opened to the connect target, and the host name is unchanged.
  public static let connectTarget = ConformanceCase(
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
  public static let reuse = ConformanceCase(
    "reuse", "consecutive requests share a connection", needs: .wire
  ) { context in
    try await context.server { server in
      for _ in 0..<8 { _ = try await context.content(server.place.request("/pattern/100")) }
      try context.expect(server.counts.acceptedConnections, is: 1, "the number of connections")
    }
  }

  /// The transport report contains version, address, byte counts and reuse.
  public static let reported = ConformanceCase(
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
#endif
