import Interception

extension CachingInterceptor {
  /// Revalidates a response in the background after it was used stale (RFC 5861, section 3).
  ///
  /// Cancelling the caller or the end of its time doesn't cancel it, a failure keeps the stored response, and
  /// at most one runs per key.
  func refresh(
    _ stored: StoredResponse, _ request: Request, _ lifetime: Duration, requested: CacheInstant,
    _ next: some Dispatcher
  ) {
    let request = request.withoutCallLimit()
    storage.refresh(stored.key) {
      if stored.validators == nil {
        _ = try? await forward(request, stored.key, lifetime, .stale, requested: requested, next)
      } else {
        _ = try? await revalidate(stored, request, lifetime, .stale, requested: requested, next)
      }
    }
  }

  /// Waits for all background revalidations; for tests.
  package func refreshesEnded() async { await storage.refreshesEnded() }
}
