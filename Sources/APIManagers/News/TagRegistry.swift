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
    var readers: [UInt64: TagInvalidations.Reader] = [:]
    var lastReader: UInt64 = 0
  }

  private let state = Mutex(State())
  private let wipe: @Sendable (Set<DataTag>) async -> Void

  /// Creates a registry.
  ///
  /// - Parameter wipe: Removes stored responses that the tags make stale. It is called before the readers are
  ///   notified, so that they don't load stale data again.
  public init(wipe: @escaping @Sendable (Set<DataTag>) async -> Void = { _ in }) { self.wipe = wipe }

  deinit { for reader in state.withLock({ $0.readers.values }) { reader.finish() } }

  /// Returns a sequence of the tags among the given ones that become stale from now on.
  ///
  /// Tags that become stale before the previous ones were read are returned together, so that no
  /// invalidation is lost. The sequence ends when the registry is released.
  public func invalidations(of tags: Set<DataTag>) -> TagInvalidations {
    let invalidations = TagInvalidations(of: tags)
    let number = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = invalidations.reader
      return state.lastReader
    }
    invalidations.reader.onEnd { [weak self] in
      _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
    }
    return invalidations
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
