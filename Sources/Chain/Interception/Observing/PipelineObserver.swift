public import HTTPTypes

/// Receives an event for every step of every request.
///
/// Observe to measure, trace or log. To change a request or a response, write an ``Interceptor``.
///
/// Events of one request arrive in the order in which they occurred; events of different requests may arrive
/// concurrently on different threads. ``observe(_:)`` is called synchronously while the request is processed,
/// so it must return quickly and defer any expensive work.
public protocol PipelineObserver: Sendable {
  /// Receives an event.
  func observe(_ event: PipelineEvent)
}

/// An observer that doesn't want every event.
package protocol SelectiveObserver: PipelineObserver {
  /// Whether the observer wants the events of a request that starts now; true by default.
  ///
  /// A pipeline reads it once per request. If no observer is interested, no clock is read and no event is
  /// created, so return false while your output is disabled. The getter must be fast.
  var isObserving: Bool { get }

  /// Whether the observer wants the events of the steps; true by default.
  ///
  /// If none of a request's observers does, its steps are not measured, which costs much less: the observers
  /// receive ``PipelineEvent/Kind/started(_:)``, ``PipelineEvent/Kind/cache(_:)`` of the response and
  /// ``PipelineEvent/Kind/finished(_:)`` only. An observer that returns false may still receive the other
  /// events, because of another observer.
  var observesSteps: Bool { get }
}

extension SelectiveObserver {
  /// Always true.
  package var isObserving: Bool { true }

  /// Always true.
  package var observesSteps: Bool { true }
}

extension Request {
  /// The parts of a request that may be shown: no header fields, query, body or user name.
  public struct Summary: Sendable, Hashable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The scheme, in lowercase.
    public let scheme: String
    /// The host and port.
    public let authority: String
    /// The path without its query.
    public let path: String
    /// The API that is called, if known.
    public let api: APIIdentity?
    /// The partition of its responses, which can name an account and is not part of a log.
    package let partition: String

    /// Creates a summary of a request.
    package init(_ request: Request) { self.init(request, includingPartition: true) }

    init(_ request: Request, includingPartition: Bool) {
      // Read once, because reading it copies it.
      let head = request.head
      method = head.method
      scheme = head.scheme?.lowercased() ?? ""
      let authority = head.authority ?? ""
      let hostStart = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map(authority.utf8.index(after:))
      self.authority = hostStart.map { String(authority[$0...]) } ?? authority
      let path = head.path ?? ""
      self.path = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path
      api = request.api
      partition = includingPartition ? request.context.partition : ""
    }
  }
}
