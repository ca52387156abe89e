/// The rest of a pipeline, behind one of its interceptors: what that interceptor is handed as `next`.
///
/// An interceptor takes `some Dispatcher` instead, so that it works before any other dispatcher too.
public struct Next: Dispatcher {
  @usableFromInline let call: Call
  /// The place of the interceptor that is handed this.
  @usableFromInline let link: Link
  /// The frame that the interceptor's steps belong to, where somebody observes.
  @usableFromInline let frame: Int

  @inlinable
  @inline(__always)
  init(call: Call, link: Link, frame: Int) {
    self.call = call
    self.link = link
    self.frame = frame
  }

  /// The abilities of the dispatcher at the end.
  public var capabilities: DispatcherCapabilities { call.pipeline.capabilities }

  /// Enters the next interceptor, or the dispatcher behind the last one.
  ///
  /// A cancelled task enters nothing more: its request ends with ``NetworkError/Kind/cancelled(_:)``.
  @inlinable
  @inline(__always)
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    try await Self.pass(request, to: link.next, of: call, from: frame)
  }

  // These are inlined into the interceptor that calls `next`, since each frame is felt at every step. Whatever is handed
  // to a function of its own is lent to it, so that nothing is counted up and down. None of them has a `throw`: another
  // module's optimiser doesn't resolve the call of a method, through its protocol, that throws a typed error itself.

  @inlinable
  @inline(__always)
  static func pass(
    _ request: Request, to link: Link?, of call: Call, from frame: Int
  ) async throws(NetworkError) -> Response {
    switch link {
    case nil: try await call.end(request, from: frame)
    case let link?: try await enter(request, link, call, frame)
    }
  }

  @inlinable
  @inline(__always)
  static func enter(
    _ request: Request, _ link: Link, _ call: Call, _ frame: Int
  ) async throws(NetworkError) -> Response {
    try await link.interceptor.enter(request, next: Next(call: call, link: link, frame: frame))
  }

  /// Whether the interceptor needs nothing but to be entered.
  @inlinable
  @inline(__always)
  var isPlain: Bool { link.isPlain && !call.isObserved && !CurrentTask.isCancelled }

  /// Enters the interceptor where more is needed: somebody observes, its answer is read as bytes, the task is cancelled.
  @usableFromInline
  @inline(never)
  func enterSpecially(_ request: Request) async throws(NetworkError) -> Response {
    guard !CurrentTask.isCancelled else { throw call.cancelled(request) }
    let response = try await step(request)
    guard let limit = link.answerLimit, case .stream = response.body else { return response }
    return try await response.buffered(upTo: limit)
  }

  private func step(_ request: Request) async throws(NetworkError) -> Response {
    let own = call.enter(.interceptor(link.name, link.stage), parent: frame, attempt: request.attempt)
    do {
      let next = Next(call: call, link: link, frame: own)
      let response = try await link.interceptor.intercept(request, next: next)
      call.leave(own, with: .success(response), attempt: request.attempt)
      return response
    } catch {
      let error = wrapped(error, request)
      call.leave(own, with: .failure(error), attempt: request.attempt)
      throw error
    }
  }

  /// Throws what the interceptor threw, as an error of the pipeline.
  @usableFromInline
  @inline(never)
  func fail(_ request: Request, with error: any Error) throws(NetworkError) -> Response {
    throw wrapped(error, request)
  }

  private func wrapped(_ error: any Error, _ request: Request) -> NetworkError {
    NetworkError.wrapping(
      error, origin: .interceptor(link.name), attempt: request.attempt,
      requestMayHaveBeenProcessed: call.wasProcessed)
  }
}
