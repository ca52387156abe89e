import Interception

extension CachingInterceptor {
  /// Asks the server behind the caller's back for news of what the caller was given stale, RFC 5861, section
  /// 3.
  ///
  /// The caller's cancellation doesn't reach it, a failure leaves what is stored, and there is one at a time
  /// for a key.
  func refresh(
    _ stored: StoredResponse, _ request: Request, _ lifetime: Duration, requested: CacheMoment,
    _ next: some Dispatcher
  ) {
    shelf.refresh(stored.key) {
      if stored.validators == nil {
        _ = try? await forwarding(request, stored.key, lifetime, .stale, requested: requested, next)
      } else {
        _ = try? await confirming(stored, request, lifetime, .stale, requested: requested, next)
      }
    }
  }

  /// Returns once nothing is asked behind a caller's back any more; for tests.
  package func refreshesEnded() async { await shelf.refreshesEnded() }
}
