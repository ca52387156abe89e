import Interception

extension CachingInterceptor {
  /// Revalidates a response in the background after it was used stale (RFC 5861, section 3).
  ///
  /// Cancelling the caller or the end of its time doesn't cancel it, a failure keeps the stored response, and
  /// at most one runs per key.
  func refresh(
    _ stored: StoredResponse, _ request: Request, _ rule: CacheRule, requested: CacheInstant,
    since mark: UInt64, _ next: some Dispatcher
  ) {
    let request = request.withoutCallLimit()
    // The caller's request is recorded, and this one isn't.
    var cache = self
    cache.recorder = nil
    storage.refresh(stored.key) { [cache] in
      if stored.validators == nil {
        _ = try? await cache.forward(
          request, stored.key, rule, .stale, replacing: stored, requested: requested, since: mark, next)
      } else {
        _ = try? await cache.revalidate(
          stored, request, rule, .stale, requested: requested, since: mark, next)
      }
    }
  }

  /// Waits for all background revalidations; for tests.
  package func refreshesEnded() async { await storage.refreshesEnded() }
}
