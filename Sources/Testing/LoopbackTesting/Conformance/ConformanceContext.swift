#if LoopbackTesting
import HTTPTypes
import Interception

/// The test bed of a case: the dispatcher under test, and servers to send requests to.
struct ConformanceContext: Sendable {
  let dispatcher: any Dispatcher
  let certificates: LoopbackCertificates
  let hasWire: Bool

  /// Whether the dispatcher decodes content by itself.
  var decodes: Bool { dispatcher.capabilities.contains(.responseDecoding) }

  /// Runs `body` with the suite's server, or with a host name if there are no real connections.
  func origin(_ body: (ConformancePlace) async throws -> Void) async throws {
    guard hasWire else {
      return try await body(ConformancePlace(scheme: "http", authority: "origin.switchyard.test"))
    }
    try await server { try await body($0.place) }
  }

  /// Runs `body` with a new server.
  func server(
    _ configuration: LoopbackConfiguration = LoopbackConfiguration(),
    _ body: (LoopbackServer) async throws -> Void
  ) async throws {
    try await LoopbackServer.serving(
      configuration, handler: { request in ConformanceOrigin.response(to: request) }, body)
  }

  /// Runs `body` with a new server that uses TLS.
  func secureServer(
    _ versions: Set<LoopbackVersion> = [.http2], certificate: LoopbackCertificates.Kind = .good,
    _ body: (LoopbackServer) async throws -> Void
  ) async throws {
    try await server(
      LoopbackConfiguration(security: .tls(certificates, certificate), versions: versions), body)
  }

  /// Sends a request that must succeed.
  func send(_ request: Request) async throws -> Response {
    do {
      return try await dispatcher.dispatch(request)
    } catch {
      throw ConformanceError("the request failed with \(error)")
    }
  }

  /// Sends a request that must succeed, and returns the content of its response.
  func content(_ request: Request) async throws -> [UInt8] {
    try await read(try await send(request).body)
  }

  /// Reads a body that must be received completely.
  func read(_ body: ResponseBody) async throws -> [UInt8] {
    do {
      return try await body.collect(upTo: 256 << 20)
    } catch {
      throw ConformanceError("the body failed with \(error)")
    }
  }

  /// Sends a request that must fail, at its head or in its body.
  func failure(_ request: Request) async throws -> NetworkError {
    do throws(NetworkError) {
      let response = try await dispatcher.dispatch(request)
      let body = try await response.body.collect(upTo: 256 << 20)
      throw NetworkError(.rejected, "responded \(response.status) with \(body.count) bytes")
    } catch {
      guard error.kind != .rejected else {
        throw ConformanceError("an error was expected, but the server \(error.reason)")
      }
      return error
    }
  }

  /// Sends a request that must fail with one of some kinds.
  func failure(
    _ request: Request, _ kinds: NetworkError.Kind..., processed: Bool
  ) async throws {
    let error = try await failure(request)
    try expect(error, kinds, processed: processed)
  }

  /// Checks an error.
  func expect(_ error: NetworkError, _ kinds: [NetworkError.Kind], processed: Bool) throws {
    try expect(
      kinds.contains(error.kind), "the kind is \(error.kind), expected one of \(kinds): \(error.reason)")
    try expect(
      error.requestMayHaveBeenProcessed == processed,
      "requestMayHaveBeenProcessed is \(error.requestMayHaveBeenProcessed) in \(error)")
    try expect(!error.reason.isEmpty, "the error has no reason")
  }

  /// Checks a condition.
  func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
    guard condition else { throw ConformanceError(sentence()) }
  }

  /// Checks that two values are equal.
  func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
    guard found != expected else { return }
    throw ConformanceError("\(what) is \(brief(found)), expected \(brief(expected))")
  }

  private func brief<Value>(_ value: Value) -> String {
    let text = "\(value)"
    return text.utf8.count > 200 ? "\(text.prefix(200))…" : text
  }
}

/// The scheme and authority that a case sends its requests to.
struct ConformancePlace: Sendable {
  let scheme: String
  let authority: String

  /// Returns a request to this place.
  func request(
    _ path: String, method: HTTPRequest.Method = .get, body: RequestBody = .empty,
    delivery: RequestOptions.Delivery = .buffered(upTo: 64 << 20)
  ) -> Request {
    var request = Request(method: method, scheme: scheme, authority: authority, path: path, body: body)
    request.options.delivery = delivery
    request.options.timeouts.whole = .seconds(60)
    return request
  }
}

extension LoopbackServer {
  /// The scheme and authority of this server.
  var place: ConformancePlace { ConformancePlace(scheme: scheme, authority: authority) }
}

extension HTTPResponse {
  /// Returns the value of a field by its lowercase name.
  func value(_ name: String) -> String? { HTTPField.Name(name).flatMap { headerFields[$0] } }
}

#endif
