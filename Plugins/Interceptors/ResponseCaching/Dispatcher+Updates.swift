public import Interception

extension Dispatcher {
  /// Returns the stored response to a request, fresh or stale, and then the server's.
  ///
  /// ```swift
  /// func show(_ request: Request, over pipeline: Pipeline) async throws {
  ///   for try await response in pipeline.updates(of: request) {
  ///     print(response.status, response.exchange.cache?.isHit == true ? "stored" : "current")
  ///   }
  /// }
  /// ```
  ///
  /// Use it for a screen that opens with what it showed last. The dispatcher needs a ``CachingInterceptor``,
  /// and the request a rule by which responses are stored; without them there is one response, the server's.
  /// There is one too if nothing is stored, or if the server confirms the stored response or returns the same
  /// status and content. The server is asked with the mode `revalidate`; an error of that request is thrown
  /// after the stored response was returned. Cancelling the task that reads cancels the request.
  public func updates(of request: Request) -> StoredUpdates<Response, NetworkError> {
    StoredUpdates { () async throws(NetworkError) in
      let stored: Response?
      do throws(NetworkError) {
        var lookup = Request(
          request.head, body: request.body, options: request.options, context: request.context)
        lookup.context.cacheRule.mode = .onlyStored
        stored = try await dispatch(lookup)
      } catch {
        guard error.kind == .notStored else { throw error }
        stored = nil
      }
      // Without a cache in the chain, this is the server's response.
      if let stored, stored.cacheStatus?.isHit != true { return (stored, nil) }
      return (
        stored,
        { () async throws(NetworkError) in
          var request = request
          request.context.cacheRule.mode = .revalidate
          let response = try await dispatch(request)
          if let stored, response.isConfirmed || response.hasContent(of: stored) { return nil }
          return response
        }
      )
    }
  }
}

extension Response {
  /// Whether the server confirmed the stored response.
  fileprivate var isConfirmed: Bool { if case .revalidated = cacheStatus { true } else { false } }

  /// Whether two responses have the same status and the same content in memory.
  fileprivate func hasContent(of other: Response) -> Bool {
    guard status == other.status, case .bytes(let bytes) = body, case .bytes(let others) = other.body else {
      return false
    }
    return bytes == others
  }
}
