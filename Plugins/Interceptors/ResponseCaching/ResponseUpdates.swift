public import Interception

/// At most two responses to a request: the stored one at once, and then the server's; see
/// ``Interception/Dispatcher/updates(of:)``.
///
/// There is one if nothing is stored, or if the server confirms the stored response or returns the same
/// status and content. The server is asked, with the mode `revalidate`, when the sequence is read for the
/// second time, so that a loop which ends after the stored response sends nothing. An error of that request
/// is thrown after the stored response was returned. Cancelling the task that reads cancels the request.
public struct ResponseUpdates<Base: Dispatcher>: AsyncSequence, Sendable {
  let base: Base
  let request: Request

  /// Returns the responses; each iteration sends the request again.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base, request: request)
  }

  /// Returns the stored response and the server's.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Phase {
      case stored
      case server(shown: Response?)
      case finished
    }

    private let base: Base
    private let request: Request
    private var phase = Phase.stored

    init(base: Base, request: Request) {
      self.base = base
      self.request = request
    }

    /// Returns the next response, or nil after the last one.
    ///
    /// - Throws: What the dispatcher throws; a missing stored response is not an error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(NetworkError) -> Response? {
      if case .stored = phase, let stored = try await stored() { return stored }
      guard case .server(let shown) = phase else { return nil }
      phase = .finished
      var request = request
      request.context.cacheRule.mode = .revalidate
      let response = try await base.dispatch(request)
      if let shown, response.isConfirmed || response.hasContent(of: shown) { return nil }
      return response
    }

    /// Returns the stored response, or nil if there is none.
    private mutating func stored() async throws(NetworkError) -> Response? {
      phase = .finished
      var lookup = Request(
        request.head, body: request.body, options: request.options, context: request.context)
      lookup.context.cacheRule.mode = .onlyStored
      let result: Result<Response, NetworkError>
      do throws(NetworkError) {
        result = .success(try await base.dispatch(lookup))
      } catch {
        result = .failure(error)
      }
      if case .failure(let error) = result, error.kind == .notStored {
        phase = .server(shown: nil)
        return nil
      }
      let response = try result.get()
      // Without a cache in the chain, this is the server's response.
      if response.cacheStatus?.isHit == true { phase = .server(shown: response) }
      return response
    }
  }
}

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
  public func updates(of request: Request) -> ResponseUpdates<Self> {
    ResponseUpdates(base: self, request: request)
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
