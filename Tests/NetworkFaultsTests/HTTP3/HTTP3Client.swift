#if os(Linux)
import HTTPTypes
import Interception
import LoopbackServing
import NetworkFaults
import Testing

@testable import CurlTransport

/// A client of a server with faults, whose name leads to the server's address.
struct HTTP3Client {
  /// Whether the loaded libcurl has HTTP/3.
  static let isSupported = LoadedLibrary.loaded().hasHTTP3

  /// A response that was read completely.
  struct Outcome {
    let status: HTTPResponse.Status
    let length: Int
    let report: TransportReport

    /// From the call to the first byte of the response, without the wait in the queue.
    var firstByte: Duration {
      let phases = report.phases
      return [phases.name, phases.connect, phases.tls, phases.firstByte].compactMap(\.self).reduce(.zero, +)
    }
  }

  /// The head start that HTTP/3 has before HTTP/2 in these tests, so that it isn't late on a busy machine.
  static let headStart = Duration.seconds(2)

  let server: HTTP3FaultServer
  let dispatcher: CurlDispatcher

  /// - Parameter tls: The policy; nil trusts the authority of the server's certificates.
  init(
    _ server: HTTP3FaultServer, _ use: HTTP3Use, tls: TLSPolicy? = nil, headStart: Duration = headStart
  ) {
    self.server = server
    var configuration = CurlDispatcher.Configuration(
      tls: tls ?? TLSPolicy(authorityFile: server.line.certificates.authorityFile),
      connections: ConnectionPolicy(headStart: headStart), http3: use)
    configuration.sendsContentOverHTTP3 = true
    dispatcher = CurlDispatcher(configuration: configuration)
  }

  func request(_ path: String, posting content: String? = nil) -> Request {
    var request = Request(
      method: content == nil ? .get : .post, authority: server.authority, path: path,
      body: content.map { .text($0) } ?? .empty)
    request.context.connectTarget = ConnectTarget(address: server.address)
    return request
  }

  /// Sends a request, and reads the response.
  @discardableResult
  func send(
    _ path: String, posting content: String? = nil,
    limits: (inout RequestOptions.Timeouts) -> Void = { _ in }
  ) async throws -> Outcome {
    var request = request(path, posting: content)
    limits(&request.options.timeouts)
    let response = try await dispatcher.dispatch(request)
    let length = try await response.body.collect(upTo: 8 << 20).count
    return Outcome(
      status: response.status, length: length, report: try #require(response.exchange.transport))
  }

  /// Sends a request, and returns the error with which it fails; nil if it does not fail.
  func failure(
    _ path: String, posting content: String? = nil,
    limits: (inout RequestOptions.Timeouts) -> Void = { _ in }
  ) async -> NetworkError? {
    do {
      try await send(path, posting: content, limits: limits)
      return nil
    } catch {
      return error as? NetworkError
    }
  }

  /// The datagrams that were sent to the server so far.
  func datagrams() async throws -> Int { try await server.line.count(HTTP3FaultServer.host, .udp) }
}
#endif
