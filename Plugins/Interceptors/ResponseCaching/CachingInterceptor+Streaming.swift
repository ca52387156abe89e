import HTTPTypes
import Interception
import Synchronization

extension CachingInterceptor {
  /// Returns a response whose stream is stored when the caller has read it completely; nil for any other
  /// response.
  ///
  /// The bytes are collected while the caller reads, up to the store's maximum for one response, and to a
  /// limit for all streams at once, beyond which a response is passed on and not stored. A read that
  /// is cancelled or fails stores nothing, nor does a body that is shorter or longer than announced.
  func storedWhileRead(_ response: Response, of request: Request, _ fetch: Fetch) async -> Response? {
    guard case .stream(let stream) = response.body else { return nil }
    let control = CacheControl(response.head.headerFields.value(of: .cacheControl)).applied(to: sharing)
    let (limit, length) = (storage.maximumResponseBytes, stream.length)
    guard length.map({ $0 <= Int64(limit) }) ?? true,
      StoringRule.permits(response.head, control, to: request, received: clock.now(), fetch.rule),
      let source = try? stream.claim()
    else { return nil }
    guard !storage.hasCleared(fetch.key, tags: request.context.cacheTags, since: fetch.mark) else {
      return response.replacingBody(by: source, of: stream)
    }
    var whenRead = fetch
    if fetch.mayReplace, StoringRule.supersedes(response, to: request) {
      // This removal is no reason not to store the stream; any other one is.
      whenRead.mark = await storage.replace(fetch.key, tags: request.context.cacheTags, since: fetch.mark)
    }
    whenRead.stored = nil
    whenRead.part = nil
    let collecting = CollectingByteSource(
      source, length: length.map { Int($0) }, limit: limit, budget: storage.collected
    ) { [whenRead] bytes in
      guard length.map({ $0 == Int64(bytes.count) }) ?? true else { return }
      var whole = Response(
        response.head, body: .bytes(bytes), trailers: stream.ending.trailers, exchange: response.exchange)
      _ = await keep(&whole, of: request, whenRead)
    }
    return response.replacingBody(by: collecting, of: stream)
  }
}

extension Response {
  /// Returns the response with another source for its stream.
  func replacingBody(by source: some ByteSource, of stream: BodyStream) -> Response {
    var copy = self
    copy.body = .stream(BodyStream(length: stream.length, ending: stream.ending, source))
    return copy
  }
}

/// The number of bytes that a cache may collect of all responses that are being read, together.
final class CollectionBudget: Sendable {
  /// The limit, unless one response may be larger; an array that grows may take twice as much.
  private static let limit = 16 << 20

  private let free: Mutex<Int>

  /// Creates a budget, which always suffices for one response.
  init(maximumResponseBytes: Int) { free = Mutex(max(Self.limit, maximumResponseBytes)) }

  /// Takes a number of bytes; returns false if fewer are free.
  func take(_ count: Int) -> Bool {
    free.withLock { free in
      guard count <= free else { return false }
      free -= count
      return true
    }
  }

  /// Gives back what was taken.
  func giveBack(_ count: Int) { free.withLock { $0 += count } }
}

/// A source that collects the bytes read from another one, and reports them at the end.
///
/// Nothing is read ahead of demand. Nothing is reported if the source fails, is cancelled, or has more bytes
/// than the limit or than the budget has left, from which on none are held.
final class CollectingByteSource: ByteSource {
  private struct State {
    /// Nil once there are too many bytes, or after the end.
    var bytes: [UInt8]?
    /// What was taken from the budget.
    var taken = 0
  }

  private let source: any ByteSource
  private let limit: Int
  private let budget: CollectionBudget
  private let complete: @Sendable ([UInt8]) async -> Void
  private let state: Mutex<State>

  /// Creates a source.
  ///
  /// - Parameter length: The announced length, which is taken from the budget at once, so that of many
  ///   responses the first ones are collected completely, and not each one in part.
  init(
    _ source: any ByteSource, length: Int?, limit: Int, budget: CollectionBudget,
    complete: @escaping @Sendable ([UInt8]) async -> Void
  ) {
    self.source = source
    self.limit = limit
    self.budget = budget
    self.complete = complete
    let length = length ?? 0
    state = Mutex(budget.take(length) ? State(bytes: [], taken: length) : State())
  }

  deinit { drop() }

  func read() async throws(NetworkError) -> [UInt8]? {
    let chunk: [UInt8]?
    do throws(NetworkError) { chunk = try await source.read() } catch {
      drop()
      throw error
    }
    if let chunk {
      if !collect(chunk) { drop() }
      return chunk
    }
    if let bytes = state.withLock({ $0.bytes.take() }) { await complete(bytes) }
    drop()
    return nil
  }

  func cancel() {
    drop()
    source.cancel()
  }

  /// Adds bytes to those collected; returns false if there are too many.
  private func collect(_ chunk: [UInt8]) -> Bool {
    state.withLock { state in
      guard let count = state.bytes?.count else { return true }
      let missing = count + chunk.count - state.taken
      guard count + chunk.count <= limit, missing <= 0 || budget.take(missing) else { return false }
      state.taken += max(0, missing)
      state.bytes?.append(contentsOf: chunk)
      return true
    }
  }

  /// Releases the bytes, and gives back what was taken.
  private func drop() {
    let taken = state.withLock { state in
      defer { state = State() }
      return state.taken
    }
    budget.giveBack(taken)
  }
}
