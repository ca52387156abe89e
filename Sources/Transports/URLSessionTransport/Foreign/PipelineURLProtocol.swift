public import Interception

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Sends the requests of foreign code that uses `URLSession`, such as an SDK, through a chain.
///
/// Declare a class for each chain, and put it into the configuration with which the foreign code creates its
/// session:
///
/// ```swift
/// final class SDKTraffic: PipelineURLProtocol {
///   static let chain = Result { try Pipeline.standard(over: CurlDispatcher()) }
///   override class var dispatcher: (any Dispatcher)? { get throws { try chain.get() } }
/// }
/// let configuration = URLSessionConfiguration.default
/// configuration.protocolClasses = [SDKTraffic.self]
/// ```
///
/// The URL loading system creates the protocol's instances from the class alone, so the class leads to the
/// chain. A key in the configuration's header fields would be sent to the server wherever another protocol
/// handles the request, and a property of each request would need changes of the foreign code. There is no
/// registry: two classes are two chains.
///
/// It takes http and https. What the chain answers, the foreign code receives: the response after redirects
/// that the chain has followed, its content, or a `URLError` whose underlying error is the `NetworkError`.
/// Cancelling the task cancels the request in the chain, and a request that the chain cancels ends the task.
///
/// What doesn't pass:
///
/// - Background sessions and WebSockets, which never ask a protocol.
/// - Authentication challenges, and the credentials of the session: a 401 is a response. Use an
///   `AuthorizationInterceptor`.
/// - The session's `URLCache` and its own time limits other than `timeoutInterval`, which limits the time
///   without progress. One of 60 s is that of a request that sets none, which gets the chain's limit. Of the
///   cache policies those that ignore or require stored responses pass. Cookies that the server sets are not
///   added to the session's storage. Use the chain's interceptors.
/// - Metrics, the progress of an upload, `assumesHTTP3Capable`, and the priority.
/// - An upload's stream is read completely before anything is sent, at most 64 MiB.
/// - On Apple's platforms the task's delegate is asked about a redirect that the chain doesn't follow. On
///   Linux it is the response, because Foundation ends the process there.
/// - On Linux a body is delivered whole, at most 64 MiB, because Foundation keeps only the last part for a
///   completion handler. Tasks for downloads and uploads fail there with `URLError.Code.unsupportedURL`,
///   because Foundation gives a protocol neither the file nor the body; use a data task with `httpBody`. The
///   field `WWW-Authenticate` is missing, with which Foundation would send the request again without the
///   protocol.
open class PipelineURLProtocol: URLProtocol {
  /// The chain, which a subclass overrides; without one each request fails.
  ///
  /// It may end in a ``URLSessionDispatcher``, whose own session doesn't use the protocol.
  ///
  /// - Throws: Why the chain couldn't be created, such as a `PipelineIssue`; each request fails with that.
  open class var dispatcher: (any Dispatcher)? { get throws { nil } }

  let load = ForeignLoad()

  /// Whether the request is for http or https.
  open override class func canInit(with request: URLRequest) -> Bool {
    ["http", "https"].contains(request.url?.scheme?.lowercased())
  }

  /// Returns the request as it is.
  open override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// Whether two requests are equal; the session's cache is not used.
  open override class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { a == b }

  /// Sends the request, or hands over what has arrived since; called by the URL loading system.
  open override func startLoading() {
    guard load.begin() else { return deliver() }
    if let refusal = load.behavior.refusal(of: task) { return load.fail(with: refusal, waking: waker) }
    do throws(NetworkError) {
      load.start(request, over: try Self.chain(), waking: waker)
    } catch {
      load.fail(with: error, waking: waker)
    }
  }

  private static func chain() throws(NetworkError) -> any Dispatcher {
    do {
      if let dispatcher = try dispatcher { return dispatcher }
    } catch let error as NetworkError {
      throw error
    } catch {
      let cause = NetworkError.loggableText(of: error)
      throw NetworkError(.invalidRequest, "\(Self.self) has no chain: \(cause)", underlying: error)
    }
    throw NetworkError(
      .invalidRequest, "\(Self.self) has no chain; override the class property \"dispatcher\".")
  }

  /// Cancels the request, and ends the client's calls after one that is in progress on another thread; called
  /// by the URL loading system.
  open override func stopLoading() {
    // On Linux Foundation also stops a protocol whose task is suspended. To send the request again at the end
    // of the suspension could do twice what it does, so it continues, and waits with what it has received.
    if load.behavior.stopsWhenSuspended, let task, task.state != .canceling { return }
    load.stop()
  }

  /// Hands over what has arrived, in order.
  private func deliver() {
    if load.behavior.stopsWhenSuspended, task?.state == .canceling { return }
    while let event = load.next() {
      switch event {
      case .response(let response):
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      case .data(let data): client?.urlProtocol(self, didLoad: data)
      case .redirect(let request, let response):
        client?.urlProtocol(self, wasRedirectedTo: request, redirectResponse: response)
      case .finished: client?.urlProtocolDidFinishLoading(self)
      case .failed(let error): client?.urlProtocol(self, didFailWithError: error)
      }
    }
  }

  /// What has the events handed over.
  private var waker: ForeignLoad.Waker {
    guard load.behavior.stopsWhenSuspended, let task else {
      let reference = Reference(loader: self)
      return .direct { reference.loader.deliver() }
    }
    // On Linux a client may be called only on its session's queue: elsewhere it reads the session's table of
    // tasks while another task changes it, and the process ends after some hundred tasks. The queue is not
    // public, but resuming a task starts its protocol there. Seen with swift-corelibs-foundation of Swift 6.3
    // (URLSession.behaviour(for:)); delete this when that function can be called from any thread.
    return .byRestart {
      task.suspend()
      task.resume()
    }
  }

  /// Allows that another thread hands over events; only one does at a time.
  private struct Reference: @unchecked Sendable {
    let loader: PipelineURLProtocol
  }
}
