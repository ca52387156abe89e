import HTTPTypes
public import Interception

/// Answers at once with what it was made with, so that nothing but the chain before it costs time.
public struct StubDispatcher: Dispatcher {
  private let response: Response

  /// Makes a stub whose answers carry `cacheControl` and 32 bytes.
  public init(cacheControl: String) {
    response = Response(
      status: .ok,
      headerFields: [
        .contentType: "application/json", .cacheControl: cacheControl,
        .date: HTTPDate.format(.now()),
      ],
      bytes: Array(repeating: 0x61, count: 32))
  }

  /// As a transport has them, so that every stock interceptor does its work.
  public var capabilities: DispatcherCapabilities { [.connectTarget, .responseDecoding] }

  /// Answers.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response { response }
}
