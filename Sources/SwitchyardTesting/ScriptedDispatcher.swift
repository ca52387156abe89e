public import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that responds according to a script and records its requests.
///
/// ```swift
/// let dispatcher = ScriptedDispatcher { request, number in
///   Response(status: number == 1 ? .serviceUnavailable : .ok)
/// }
/// ```
public final class ScriptedDispatcher: Dispatcher {
  /// Returns the response to a request; `number` counts the requests from 1.
  public typealias Script =
    @Sendable (_ request: Request, _ number: Int) async throws(NetworkError) -> Response

  private let received = Mutex<[Request]>([])
  private let script: Script
  /// The capabilities that the dispatcher declares.
  public let capabilities: DispatcherCapabilities

  /// Creates a dispatcher that responds by a closure.
  public init(
    capabilities: DispatcherCapabilities = [.connectTarget, .responseDecoding], _ script: @escaping Script
  ) {
    self.capabilities = capabilities
    self.script = script
  }

  /// Creates a dispatcher that returns the same response to every request.
  public convenience init(
    answering response: Response = Response(status: .ok),
    capabilities: DispatcherCapabilities = [.connectTarget, .responseDecoding]
  ) {
    self.init(capabilities: capabilities) { _, _ throws(NetworkError) in response }
  }

  /// Creates a dispatcher that fails every request with the same error.
  public convenience init(failing error: NetworkError) {
    self.init { _, _ throws(NetworkError) in throw error }
  }

  /// The received requests, in order.
  public var requests: [Request] { received.withLock { $0 } }

  /// Responds according to the script.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let number = received.withLock { received in
      received.append(request)
      return received.count
    }
    return try await script(request, number)
  }
}
