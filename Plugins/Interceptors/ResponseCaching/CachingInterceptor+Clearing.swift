public import Interception

extension CachingInterceptor {
  /// Removes everything stored for an account; call it at log-out.
  ///
  /// What is on its way at this moment is not stored either; that is true of every way of clearing.
  /// - Returns: The number of answers removed.
  @discardableResult public func wipe(partition: String) async -> Int {
    await shelf.remove(.partition(partition))
  }

  /// Removes everything that a service's APIs answered, and returns the number of answers.
  @discardableResult public func wipe(service: String) async -> Int { await shelf.remove(.service(service)) }

  /// Removes everything that an API answered, and returns the number of answers.
  @discardableResult public func wipe(api: APIIdentity) async -> Int { await shelf.remove(.api(api)) }

  /// Removes everything, and returns the number of answers.
  @discardableResult public func removeAll() async -> Int { await shelf.remove(.all) }

  /// Removes what is stored for a request; call it when an answer turned out to be invalid further out.
  ///
  /// The request is recognised by partition, API, method and target: it may be the one that entered the
  /// pipeline, before interceptors gave it credentials. Every variant goes.
  @discardableResult public func invalidate(_ request: Request) async -> Int {
    await shelf.remove(.subject(CacheSubject(request, leavingOut: volatile)))
  }
}
