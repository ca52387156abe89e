public import Interception

extension CachingInterceptor {
  /// Removes all responses of an account, alone and together with other accounts; call it at logout.
  ///
  /// Responses in flight at that moment are not stored afterwards. This applies to every kind of removal.
  /// - Returns: The number of responses removed.
  @discardableResult public func wipe(partition: String) async -> Int {
    await storage.remove(.partition(partition))
  }

  /// Removes the responses of a service's APIs, and returns their number.
  @discardableResult public func wipe(service: String) async -> Int {
    await storage.remove(.service(service))
  }

  /// Removes the responses of an API, and returns their number.
  @discardableResult public func wipe(api: APIIdentity) async -> Int { await storage.remove(.api(api)) }

  /// Removes the responses that have at least one of some tags, whichever API they belong to, and returns
  /// their number.
  ///
  /// A `TagRegistry` of `APIManagers` calls it for what a mutation has changed:
  ///
  /// ```swift
  /// let cache = CachingInterceptor()
  /// let tags = TagRegistry { stale in await cache.wipe(tags: stale) }
  /// ```
  @discardableResult public func wipe(tags: Set<CacheRule.Tag>) async -> Int {
    await storage.remove(.tags(tags))
  }

  /// Removes all responses, and returns their number.
  @discardableResult public func removeAll() async -> Int { await storage.remove(.all) }

  /// Removes the responses for a request; call it if a response turns out to be invalid.
  ///
  /// The request may be the original one, without the credentials added by interceptors. With a partition it
  /// is identified by partition, API, method and target; without one, by its target for every account. All
  /// variants are removed.
  @discardableResult public func invalidate(_ request: Request) async -> Int {
    let subject = CacheSubject(request, leavingOut: volatile)
    return await storage.remove(subject.partition.isEmpty ? .target(subject.target) : .subject(subject))
  }
}
