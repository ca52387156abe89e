import CurlTransport
import HTTPTypes
public import Interception

/// First requests to an https origin, with and without a connection that was opened before.
public struct ConnectLoad: Sendable {
  private let request: Request
  private let other: Request
  private let authorities: String?

  /// Creates a load; nil if a URL is none of http or https.
  ///
  /// - Parameters:
  ///   - url: The URL that is requested.
  ///   - otherURL: A URL of another origin, which is requested before.
  public init?(_ url: String, after otherURL: String, authorities: String?) {
    guard let request = WireLoad.request(url), let other = WireLoad.request(otherURL) else { return nil }
    (self.request, self.other, self.authorities) = (request, other, authorities)
  }

  /// Returns the time from a request to the head of its response, by a new dispatcher that has sent a request
  /// to another origin.
  ///
  /// - Parameter connects: Whether the dispatcher has connected to the origin before.
  @concurrent public func firstByte(connects: Bool) async throws -> Duration {
    let dispatcher = WireLoad.dispatcher(inFlight: 6, authorities: authorities)
    try await Self.read(try await dispatcher.dispatch(Request(other.head, context: other.context)))
    if connects { try await dispatcher.connect(for: request) }
    let time = try await Self.firstByte(of: request, through: dispatcher)
    await dispatcher.shutdown()
    return time
  }

  /// Returns the time from a first request by a new dispatcher to the head of its response.
  ///
  /// - Parameter version: The version of HTTP; a connection over TCP races one of HTTP/3.
  @concurrent public static func firstByte(
    of request: Request, authorities: String?, version: LoadVersion
  ) async throws -> Duration {
    let dispatcher = WireLoad.dispatcher(
      inFlight: 1, authorities: authorities, version: version, isRaced: true)
    let time = try await firstByte(of: request, through: dispatcher)
    await dispatcher.shutdown()
    return time
  }

  private static func firstByte(
    of original: Request, through dispatcher: CurlDispatcher
  ) async throws -> Duration {
    var request = Request(original.head, context: original.context)
    request.options.delivery = .streamed
    let start = ContinuousClock.now
    let response = try await dispatcher.dispatch(request)
    let time = ContinuousClock.now - start
    try await read(response)
    return time
  }

  private static func read(_ response: Response) async throws {
    guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
    _ = try await response.body.collect(upTo: 1 << 20)
  }
}
