public import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that answers by a script, and remembers what it was asked.
///
/// ```swift
/// let dispatcher = ScriptedDispatcher { request, number in
///   Response(status: number == 1 ? .serviceUnavailable : .ok)
/// }
/// ```
public final class ScriptedDispatcher: Dispatcher {
  /// An answer to a request; `number` counts the requests from 1.
  public typealias Script =
    @Sendable (_ request: Request, _ number: Int) async throws(NetworkError) -> Response

  private let received = Mutex<[Request]>([])
  private let script: Script
  /// The abilities that it claims to have.
  public let capabilities: DispatcherCapabilities

  /// Makes a dispatcher that answers by a closure.
  public init(
    capabilities: DispatcherCapabilities = [.connectTarget, .responseDecoding], _ script: @escaping Script
  ) {
    self.capabilities = capabilities
    self.script = script
  }

  /// Makes a dispatcher that gives everybody the same answer.
  public convenience init(
    answering response: Response = Response(status: .ok),
    capabilities: DispatcherCapabilities = [.connectTarget, .responseDecoding]
  ) {
    self.init(capabilities: capabilities) { _, _ throws(NetworkError) in response }
  }

  /// Makes a dispatcher that fails everybody with the same error.
  public convenience init(failing error: NetworkError) {
    self.init { _, _ throws(NetworkError) in throw error }
  }

  /// What it was asked, in order.
  public var requests: [Request] { received.withLock { $0 } }

  /// Answers by the script.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let number = received.withLock { received in
      received.append(request)
      return received.count
    }
    return try await script(request, number)
  }
}
