import HTTPTypes
public import Interception
import Synchronization

/// Notifies screens that the data they show has become stale, by tags that a mutation names.
///
/// ```swift
/// let cache = CachingInterceptor()
/// let tags = TagRegistry { stale in await cache.wipe(tags: stale) }
/// func show(_ pager: Pager<House>) async {  // a screen with a list of houses
///   for await _ in tags.invalidations(of: ["houses"]) { await pager.refresh() }
/// }
/// func rename(_ send: () async throws -> Void) async throws {  // a mutation
///   try await tags.mutation(of: ["houses", "house 7"], send)
/// }
/// ```
///
/// Start to read ``invalidations(of:)`` before the data is loaded, so that no invalidation is missed.
public final class TagRegistry: Sendable {
  private struct State {
    var readers: [UInt64: TagReader] = [:]
    var lastReader: UInt64 = 0
  }

  private let state = Mutex(State())
  private let wipe: @Sendable (Set<DataTag>) async -> Void

  /// Creates a registry.
  ///
  /// - Parameter wipe: Removes stored responses that the tags make stale, which also prevents further
  ///   requests and loads from joining those in flight. In a pipeline without a cache it calls
  ///   `SharingInterceptor.closeFlights()` instead. It is called before the readers are notified, so that
  ///   they neither load stale data again nor join a request from before.
  public init(wipe: @escaping @Sendable (Set<DataTag>) async -> Void = { _ in }) { self.wipe = wipe }

  deinit { for reader in state.withLock({ $0.readers.values }) { reader.finish() } }

  /// Returns a stream of the tags among the given ones that become stale from now on, for one reader.
  ///
  /// Tags that become stale before the previous ones were read are returned together, so that no
  /// invalidation is lost. The stream ends when the registry is released.
  public func invalidations(of tags: Set<DataTag>) -> AsyncStream<Set<DataTag>> {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reader = TagReader(tags, continuation)
    let number = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = reader
      return state.lastReader
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    // The signals belong to the stream alone, so that they end when it is released.
    return AsyncStream {
      for await _ in signals {
        let stale = reader.takeStale()
        if !stale.isEmpty { return stale }
      }
      return nil
    }
  }

  /// Removes stored responses and notifies the readers of the tags.
  public func invalidate(_ tags: Set<DataTag>) async {
    guard !tags.isEmpty else { return }
    await wipe(tags)
    for reader in state.withLock({ $0.readers.values }) { reader.receive(tags) }
  }

  /// Performs a mutation and invalidates the tags of what it changed.
  ///
  /// A mutation that failed invalidates them too, unless its error shows that the server didn't perform it:
  /// nothing was sent, or the response has a status from 400 to 499.
  ///
  /// - Throws: The error of the mutation.
  public func mutation<Output, Failure: Error>(
    of tags: Set<DataTag>, _ perform: () async throws(Failure) -> Output
  ) async throws(Failure) -> Output {
    do {
      let output = try await perform()
      await invalidate(tags)
      return output
    } catch {
      if mayHavePerformed(error) { await invalidate(tags) }
      throw error
    }
  }

  /// The number of active readers.
  var readerCount: Int { state.withLock { $0.readers.count } }
}

/// The name of data that several APIs return or change, such as `houses` or `house 7`.
///
/// An API names the tags of a response by ``API/tags(for:)``, a mutation invalidates them by a
/// ``TagRegistry``, and a cache removes the responses that have them.
public typealias DataTag = CacheRule.Tag

/// The tags of one reader, and those of them that became stale and were not read yet.
private final class TagReader: Sendable {
  private let tags: Set<DataTag>
  private let stale = Mutex<Set<DataTag>>([])
  private let continuation: AsyncStream<Void>.Continuation

  init(_ tags: Set<DataTag>, _ continuation: AsyncStream<Void>.Continuation) {
    self.tags = tags
    self.continuation = continuation
  }

  func receive(_ invalidated: Set<DataTag>) {
    let concerned = tags.intersection(invalidated)
    guard !concerned.isEmpty else { return }
    stale.withLock { $0.formUnion(concerned) }
    continuation.yield()
  }

  func takeStale() -> Set<DataTag> {
    stale.withLock { stale in
      defer { stale = [] }
      return stale
    }
  }

  func finish() { continuation.finish() }
}

/// Returns whether a server may have performed a mutation that failed with an error.
func mayHavePerformed(_ error: any Error) -> Bool {
  switch error {
  case let error as APIError:
    // A hook can also withhold the result of a request that was performed.
    if case .vetoed = error.kind { return true }
    if let response = error.response { return !(400..<500).contains(response.status.code) }
    if let cause = error.cause { return cause.requestMayHaveBeenProcessed }
    // A request that was cancelled while in flight has neither; one that was refused has no ID.
    return error.request != nil
  case let error as NetworkError: return error.requestMayHaveBeenProcessed
  case is ParamsError: return false
  default: return true
  }
}
