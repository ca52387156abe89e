/// An observer of a pipeline, and the requests whose events it receives.
struct ScopedObserver: Sendable {
  let observer: any PipelineObserver
  /// The scope, or nil for all requests.
  let scope: Request.Scope?

  /// Whether the observer wants the events of a request that starts now.
  func isObserving(_ request: Request) -> Bool {
    observer.isObserving && scope?.contains(request) ?? true
  }
}
