import HTTPTypes
public import Interception
import Synchronization

/// Loads images and other large resources through a pipeline, and keeps their decoded values in memory.
///
/// ```swift
/// let loader = ResourceLoader(over: pipeline, decoder: PhotoDecoder())
/// let photo = try Request("https://photos.example.com/42.png")
/// let size = PixelSize(width: 320, height: 200)  // of the view
/// if let placeholder = loader.placeholder(for: photo, at: size) { show(placeholder) }
/// show(try await loader.load(photo, at: size))
/// ```
///
/// A resource is transferred once for all loads that ask for it at the same time, and decoded once for each
/// size, off the caller's actor. The last asked load starts first, before all prefetches. The last caller
/// whose task is cancelled ends the transfer. The pipeline's cache keeps the bytes, the loader what was
/// decoded: both for each account.
public final class ResourceLoader<Decoder: ResourceDecoder>: Sendable {
  private typealias Outcome = Result<Decoder.Value, ResourceError>
  /// A variant, and the request for it as the pipeline identifies it.
  private typealias Wanted = (variant: ResourceVariant, request: Request)

  private struct Waiter {
    let request: Request
    let meter: TransferMeter?
    let continuation: CheckedContinuation<Outcome, Never>

    func resume(_ outcome: Outcome) { continuation.resume(returning: outcome) }

    func cancel() { resume(.failure(ResourceLoader.cancellation(of: request))) }
  }

  private struct State {
    var decisions: LoaderState<Decoder.Value>
    var waiters: [LoadQueue.WaiterID: Waiter] = [:]
    var transfers: [LoadQueue.LoadID: Task<Void, Never>] = [:]

    mutating func takeWaiters(_ ids: [LoadQueue.WaiterID]) -> [Waiter] {
      ids.compactMap { waiters.removeValue(forKey: $0) }
    }

    func meters(of load: LoadQueue.LoadID) -> [TransferMeter] {
      decisions.queue.waiters(of: load).compactMap { waiters[$0]?.meter }
    }
  }

  private let dispatcher: any Dispatcher
  private let decoder: Decoder
  private let limits: ResourceLimits
  private let time: TimeSource
  private let state: Mutex<State>
  private let contexts = ContextNumbers()
  private let lastWaiter = Atomic<LoadQueue.WaiterID>(0)

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - dispatcher: The app's pipeline.
  ///   - time: The clock of the lifetime of decoded values.
  public init(
    over dispatcher: any Dispatcher, decoder: Decoder, limits: ResourceLimits = ResourceLimits(),
    time: TimeSource = .system
  ) {
    self.dispatcher = dispatcher
    self.decoder = decoder
    self.limits = limits
    self.time = time
    state = Mutex(State(decisions: LoaderState(limits)))
  }

  deinit { for task in state.withLock({ Array($0.transfers.values) }) { task.cancel() } }

  /// What the loader has done so far, and what it keeps.
  public var statistics: ResourceStatistics { state.withLock { $0.decisions.statistics } }

  /// Returns the decoded value of a resource that is visible, or is about to be.
  ///
  /// - Parameters:
  ///   - request: A GET; its account is that of its partition, or the one that the pipeline knows. Its time
  ///     limits count from the start of the transfer, and loads that join it have those of the first one.
  ///     With the cache mode `reload` or `revalidate` no value in memory is returned. The limit of bytes of
  ///     its delivery is obeyed, and loads with another one have their own transfer.
  ///   - size: The size at which the value is shown; nil for the resource's own.
  ///   - meter: Receives the number of bytes, and is finished when this function returns. A transfer whose
  ///     first load has none reports nothing to those that join it.
  /// - Throws: ``ResourceError``, also if the task is cancelled or ``removeAll()`` is called meanwhile.
  public func load(
    _ request: Request, at size: PixelSize? = nil, reportingTo meter: TransferMeter? = nil
  ) async throws(ResourceError) -> Decoder.Value {
    defer { meter?.finish() }
    let wanted = try wanted(request, at: size)
    let waiter = lastWaiter.wrappingAdd(1, ordering: .relaxed).newValue
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let entry = Waiter(request: request, meter: meter, continuation: continuation)
        let answer = begin(wanted, waiter, entry)
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let abandoned = change { state, _ in
        state.decisions.leave(waiter)
        return state.takeWaiters([waiter])
      }
      for waiter in abandoned { waiter.cancel() }
    }
    return try outcome.get()
  }

  /// Returns the decoded value to show while a resource is being loaded; nil if there is none in memory.
  ///
  /// It is the value at this size, even if it has expired, or else that of a larger size, or else of the
  /// largest one.
  public func placeholder(for request: Request, at size: PixelSize? = nil) -> Decoder.Value? {
    guard let variant = try? wanted(request, at: size).variant else { return nil }
    return state.withLock { $0.decisions.placeholder(for: variant) }
  }

  /// Loads resources that may become visible soon, in this order, while nothing visible waits.
  ///
  /// A prefetch that fails is forgotten. At most 1,000 wait, each size counted, of which the newest are kept.
  /// They pause while values that were prefetched and never shown take half of the memory for decoded ones,
  /// until those expire.
  public func prefetch(_ requests: [Request], at size: PixelSize? = nil) {
    let all = requests.compactMap { try? wanted($0, at: size) }
    change { state, now in
      for wanted in all { state.decisions.prefetch(wanted.variant, of: wanted.request, at: now) }
    }
  }

  /// Ends prefetches of resources that are no longer expected to become visible; loads of them continue.
  public func cancelPrefetches(of requests: [Request], at size: PixelSize? = nil) {
    let variants = requests.compactMap { try? wanted($0, at: size).variant }
    change { state, _ in
      for variant in variants { state.decisions.cancelPrefetch(variant) }
    }
  }

  /// Releases the decoded values; call it when memory is low.
  public func removeValues() { change { state, _ in state.decisions.removeValues() } }

  /// Releases the decoded values, and cancels all loads and prefetches; call it at logout.
  ///
  /// No value of a load from before is kept or returned.
  public func removeAll() {
    let waiters = change { state, _ in state.takeWaiters(state.decisions.removeAll()) }
    contexts.removeAll()
    for waiter in waiters { waiter.cancel() }
  }
}

extension ResourceLoader {
  private static func cancellation(of request: Request) -> ResourceError {
    ResourceError(.network(NetworkError(.cancelled(.task), "The load was cancelled.")), of: request)
  }

  private func wanted(_ request: Request, at size: PixelSize?) throws(ResourceError) -> Wanted {
    if let size, !size.isValid { throw ResourceError(.invalidSize(size), of: request) }
    do throws(NetworkError) {
      let identified = request.identified(over: dispatcher)
      let key = try ResourceKey(identified, within: limits, among: contexts)
      return (ResourceVariant(key: key, size: size), identified)
    } catch {
      throw ResourceError(.network(error), of: request)
    }
  }

  /// Lets a caller wait; returns its result if it need not.
  private func begin(
    _ wanted: Wanted, _ waiter: LoadQueue.WaiterID, _ entry: Waiter
  ) -> Outcome? {
    change { state, now in
      if let value = state.decisions.value(of: wanted.variant, at: now) { return .success(value) }
      // A cancellation that this doesn't see finds the caller among those that wait.
      guard !Task.isCancelled else { return .failure(Self.cancellation(of: entry.request)) }
      state.waiters[waiter] = entry
      state.decisions.wait(for: wanted.variant, of: wanted.request, waiter)
      return nil
    }
  }

  /// Reports events to the state, and does what follows.
  @discardableResult
  private func change<Answer: Sendable>(_ change: (inout State, _ now: Duration) -> Answer) -> Answer {
    let now = time.now()
    let (answer, cancelled, evicted, ended) = state.withLock { state in
      let answer = change(&state, now)
      var cancelled: [Task<Void, Never>] = []
      for action in state.decisions.advance(at: now) {
        switch action {
        case .transfer(let id, let key, let request, let isVisible):
          let isMetered = !state.meters(of: id).isEmpty
          let transfer = ResourceTransfer(request, of: key, isVisible: isVisible, isMetered: isMetered)
          // Stored in the step that starts it, so that a cancellation finds it.
          state.transfers[id] = start(transfer, id)
        case .cancel(let id): if let task = state.transfers[id] { cancelled.append(task) }
        case .decode(let id, let variant, let content, let request):
          let isVisible = !state.decisions.queue.waiters(of: id).isEmpty
          start(content, (variant, request), id, isVisible: isVisible)
        }
      }
      return (answer, cancelled, state.decisions.takeEvicted(), state.decisions.takeEnded())
    }
    // Without the lock, because handlers of a cancellation, and what values do at their end, are the code of
    // others; so are the values in the contexts of requests.
    for task in cancelled { task.cancel() }
    withExtendedLifetime((evicted, ended)) {}
    return answer
  }

  private func start(_ transfer: ResourceTransfer, _ id: LoadQueue.LoadID) -> Task<Void, Never> {
    Task.detached(priority: transfer.isVisible ? .userInitiated : .utility) {
      [weak self, dispatcher] in
      let result: Result<ResourceContent, ResourceError>
      do throws(ResourceError) {
        result = .success(
          try await transfer.content(over: dispatcher) { progress in
            guard let meters = self?.state.withLock({ $0.meters(of: id) }) else { return }
            for meter in meters { meter.report(progress) }
          })
      } catch {
        result = .failure(error)
      }
      self?.finish(id, with: result)
    }
  }

  private func finish(_ id: LoadQueue.LoadID, with result: Result<ResourceContent, ResourceError>) {
    let failed = change { state, _ -> [Waiter] in
      state.transfers[id] = nil
      switch result {
      case .success(let content):
        state.decisions.finishTransfer(id, content)
        return []
      case .failure: return state.takeWaiters(state.decisions.failTransfer(id))
      }
    }
    guard case .failure(let error) = result else { return }
    for waiter in failed { waiter.resume(.failure(error)) }
  }

  private func start(
    _ content: ResourceContent, _ wanted: Wanted, _ id: LoadQueue.LoadID, isVisible: Bool
  ) {
    let (variant, request) = wanted
    Task.detached(priority: isVisible ? .userInitiated : .utility) { [weak self, decoder, limits] in
      let result: Result<DecodedResource<Decoder.Value>, ResourceError>
      do throws(ResourceError) {
        result = .success(
          try content.decoded(by: decoder, to: variant.size, of: request, within: limits))
      } catch {
        result = .failure(error)
      }
      self?.finish(id, variant, with: result, isStorable: content.isStorable)
    }
  }

  private func finish(
    _ id: LoadQueue.LoadID, _ variant: ResourceVariant,
    with result: Result<DecodedResource<Decoder.Value>, ResourceError>, isStorable: Bool
  ) {
    let waiters = change { state, now in
      let kept = isStorable ? try? result.get() : nil
      return state.takeWaiters(state.decisions.finishDecode(id, variant, keeping: kept, at: now))
    }
    for waiter in waiters { waiter.resume(result.map(\.value)) }
  }
}
