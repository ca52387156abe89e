import HTTPTypes
public import Interception

/// Returns a fixed response immediately, so that only the chain before it takes time.
public struct StubDispatcher: Dispatcher {
  private let response: Response

  /// Creates a stub whose responses have `cacheControl` and 32 bytes.
  public init(cacheControl: String) {
    response = Response(
      status: .ok,
      headerFields: [
        .contentType: "application/json", .cacheControl: cacheControl,
        .date: HTTPDate.format(.now()),
      ],
      bytes: Array(repeating: 0x61, count: 32))
  }

  /// The capabilities of a transport, so that every stock interceptor does its work.
  public var capabilities: DispatcherCapabilities { [.connectTarget] }

  /// Returns the response.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response { response }
}
