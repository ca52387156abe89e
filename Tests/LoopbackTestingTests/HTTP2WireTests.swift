import CurlTransport
import HTTPTypes
import Interception
import Testing

@testable import LoopbackTesting

@Suite(.timeLimit(.minutes(5)))
struct HTTP2WireTests {
  /// Runs a server over TLS with HTTP/2 only, and a dispatcher that trusts it.
  private func serving(
    _ body: (LoopbackServer, CurlDispatcher) async throws -> Void
  ) async throws {
    let certificates = try await LoopbackCertificates()
    let configuration = LoopbackConfiguration(security: .tls(certificates), versions: [.http2])
    try await LoopbackServer.serving(configuration) { server in
      let dispatcher = CurlDispatcher(
        configuration: .init(tls: TLSPolicy(authorityFile: certificates.authorityFile)))
      try await body(server, dispatcher)
    }
  }

  @Test("E5: The server has many requests at the same time on one connection, each on its own stream")
  func multiplexing() async throws {
    try await serving { server, dispatcher in
      // The dispatcher knows from it that the server speaks HTTP/2.
      _ = try await dispatcher.dispatch(Request(authority: server.authority, path: "/first"))
      server.enqueue((1...20).map { _ in LoopbackResponse().failing(.responseStart, .stall) })
      let requests = (1...20).map { Request(authority: server.authority, path: "/\($0)") }
      let tasks = requests.map { request in Task { try await dispatcher.dispatch(request) } }
      try await server.wait { $0.openExchanges == 20 && $0.receivedRequests == 21 }
      #expect(server.counts.acceptedConnections == 1)
      #expect(Set(server.requests.map(\.stream)).count == 21)
      for task in tasks { task.cancel() }
      for task in tasks { await #expect(throws: NetworkError.self) { _ = try await task.value } }
    }
  }

  @Test("E5: The server sees each request's priority as the weight of its HTTP/2 stream")
  func priority() async throws {
    try await serving { server, dispatcher in
      let priorities: [RequestOptions.Priority] = [.high, .low]
      for priority in priorities {
        var request = Request(authority: server.authority, path: "/")
        request.options.priority = priority
        _ = try await dispatcher.dispatch(request)
      }
      #expect(server.requests.map(\.streamWeight) == [128, 4])
      #expect(server.counts.acceptedConnections == 1)
    }
  }

  @Test("E5: The header fields of a repeated request are compressed to a fraction of their size")
  func headerCompression() async throws {
    try await serving { server, dispatcher in
      var request = Request(authority: server.authority, path: "/")
      for number in 0..<8 {
        let name = try #require(HTTPField.Name("X-Field-\(number)"))
        request.head.headerFields[name] = String(repeating: "\(number)", count: 100)
      }
      for _ in 0..<2 { _ = try await dispatcher.dispatch(request) }
      try #require(server.requests.map(\.connection) == [1, 1])
      #expect(server.requests[0].head.headerFields == server.requests[1].head.headerFields)
      let first = try #require(server.requests[0].headLength)
      let second = try #require(server.requests[1].headLength)
      // Digits take 5 or 6 bits in the Huffman code, so the values of the first request take at least 500
      // bytes; the second request refers to the fields by index.
      #expect(first > 500 && second < 100, "\(first) bytes, then \(second)")
    }
  }
}
