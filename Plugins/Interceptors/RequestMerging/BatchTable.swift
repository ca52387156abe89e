import Interception

/// The batches of an interceptor: which requests are in each, and which requests wait.
///
/// A value without I/O. A `BatchRegistry` performs what its functions return.
///
/// - Parameters:
///   - Continuation: What resumes a waiting request.
///   - Work: The handle with which a window or a transfer is cancelled.
struct BatchTable<Continuation, Work> {
  typealias Outcome = Result<Response, NetworkError>
  /// Sends a request down the chain of the request that opened the batch.
  typealias Send = @Sendable (Request) async throws(NetworkError) -> Response

  /// Identifies a waiting request; never reused.
  struct Place: Hashable, Sendable {
    let batch: UInt64
    let waiter: UInt64
  }

  /// The requests of a batch that is to be sent.
  struct Contents: Sendable {
    let batch: UInt64
    let entries: [Entry]
    let send: Send
  }

  /// A request of a batch, and where it waits.
  struct Entry: Sendable {
    let waiter: UInt64
    let item: MergeItem
  }

  /// How a request can proceed.
  enum Entering {
    /// The request opened a batch, and waits for it.
    case started(Place)
    /// The request may join the batch of this first request, if they are compatible.
    case candidate(UInt64, first: Request)
    /// The request must be sent by itself.
    case alone
  }

  /// Whether a request joined a batch.
  enum Joining {
    /// The request waits for the batch.
    case joined(Place)
    /// The request waits for the batch, which is full and must be sent now; its window is cancelled.
    case filled(Place, Contents, window: Work?)
    /// The batch has no room for the request and must be sent now; its window is cancelled.
    case noRoom(Contents, window: Work?)
    /// The batch was sent already.
    case tooLate
  }

  /// The maximum number of open batches of one key, and of batches with which a request is compared.
  static var maximumOpenBatches: Int { 16 }

  private struct Batch {
    let key: MergeCandidate.Key
    let first: Request
    let send: Send
    var entries: [Entry]
    var size: Int
    var isOpen = true
    /// Whether the batch was sent before the end of its window, which is then cancelled.
    var hasWindowEnded = false
    var work: Work?
  }

  private struct Waiter {
    var continuation: Continuation?
    var outcome: Outcome?
  }

  private var batches: [UInt64: Batch] = [:]
  private var open: [MergeCandidate.Key: [UInt64]] = [:]
  private var waiters: [UInt64: Waiter] = [:]
  private var lastNumber: UInt64 = 0

  /// The number of requests that wait.
  var waitingCount: Int { waiters.count }
  /// Whether nothing is stored.
  var isEmpty: Bool { batches.isEmpty && open.isEmpty && waiters.isEmpty }

  /// Returns the next open batch with which a request must be compared, or opens one if there is none.
  ///
  /// A batch opened by another request since the last call is a candidate as well, so that of two compatible
  /// requests only one opens a batch. Each call needs a further batch in `compared`, so at most
  /// `maximumOpenBatches` calls return a candidate.
  ///
  /// - Parameter compared: The batches with which the request was compared, or which it could not join.
  mutating func enter(
    _ candidate: MergeCandidate, except compared: Set<UInt64>, send: @escaping Send
  ) -> Entering {
    // Requests that all differ, such as by a field with an ID, would only wait, and be compared in vain.
    guard compared.count < Self.maximumOpenBatches else { return .alone }
    for number in open[candidate.key] ?? [] where !compared.contains(number) {
      if let batch = batches[number] { return .candidate(number, first: batch.first) }
    }
    // All open batches were compared, so there are fewer than the maximum.
    return .started(start(candidate, send))
  }

  private mutating func start(_ candidate: MergeCandidate, _ send: @escaping Send) -> Place {
    let (batch, waiter) = (nextNumber(), addWaiter())
    batches[batch] = Batch(
      key: candidate.key, first: candidate.item.request, send: send,
      entries: [Entry(waiter: waiter, item: candidate.item)], size: candidate.size)
    open[candidate.key, default: []].append(batch)
    return Place(batch: batch, waiter: waiter)
  }

  /// Adds a request to a batch.
  mutating func join(_ candidate: MergeCandidate, _ number: UInt64, by rule: MergeRule) -> Joining {
    guard let batch = batches[number], batch.isOpen else { return .tooLate }
    let hasRoom =
      batch.size + candidate.size <= rule.maximumBytes
      && !batch.entries.contains { $0.item.id == candidate.item.id }
    guard hasRoom else { return close(number).map { .noRoom($0, window: $1) } ?? .tooLate }
    let waiter = addWaiter()
    batches[number]?.entries.append(Entry(waiter: waiter, item: candidate.item))
    batches[number]?.size += candidate.size
    let place = Place(batch: number, waiter: waiter)
    guard batch.entries.count + 1 >= rule.maximumCount else { return .joined(place) }
    return close(number).map { .filled(place, $0, window: $1) } ?? .joined(place)
  }

  /// Ends the window of a batch; returns what is to be sent, or nil if it was sent already or is empty.
  mutating func endWindow(of number: UInt64) -> Contents? {
    guard let batch = batches[number], batch.isOpen else { return nil }
    closeForJoining(number, batch.key)
    return Contents(batch: number, entries: batch.entries, send: batch.send)
  }

  /// Stores the handle of a batch's window, which sends the batch at its end; false if it must be cancelled.
  mutating func storeWindow(_ work: Work, of number: UInt64) -> Bool {
    guard let batch = batches[number], !batch.hasWindowEnded else { return false }
    batches[number]?.work = work
    return true
  }

  /// Stores the handle of a transfer of a batch that was sent before the end of its window; false if it must
  /// be cancelled, because no request waits for the batch any longer.
  mutating func storeTransfer(_ work: Work, of number: UInt64) -> Bool {
    guard batches[number] != nil else { return false }
    batches[number]?.work = work
    return true
  }

  /// Stores the continuation of a request; returns the outcome instead if it is known.
  mutating func suspend(_ place: Place, _ continuation: Continuation) -> Outcome? {
    if let outcome = waiters[place.waiter]?.outcome {
      waiters[place.waiter] = nil
      return outcome
    }
    waiters[place.waiter]?.continuation = continuation
    return nil
  }

  /// Removes a batch that has ended, and returns the continuations of its requests with their outcomes.
  ///
  /// - Parameter outcomes: The outcomes, in the order of the batch's entries.
  mutating func finish(
    _ contents: Contents, _ outcomes: [Outcome]
  ) -> [(continuation: Continuation, outcome: Outcome)] {
    batches[contents.batch] = nil
    return zip(contents.entries, outcomes).compactMap { entry, outcome in
      resolve(entry.waiter, outcome).map { ($0, outcome) }
    }
  }

  /// Ends the wait of a request that is cancelled.
  ///
  /// - Returns: Its continuation, and the handle to cancel if it was the last request of the batch.
  mutating func leave(
    _ place: Place, _ outcome: (_ wasSent: Bool) -> Outcome
  ) -> (resumption: (continuation: Continuation, outcome: Outcome)?, cancelled: Work?) {
    guard waiters[place.waiter] != nil, waiters[place.waiter]?.outcome == nil else { return (nil, nil) }
    let isOpen = batches[place.batch]?.isOpen ?? false
    let outcome = outcome(!isOpen)
    let continuation = resolve(place.waiter, outcome)
    return (continuation.map { ($0, outcome) }, removeEntry(place))
  }

  private mutating func removeEntry(_ place: Place) -> Work? {
    guard let index = batches[place.batch]?.entries.firstIndex(where: { $0.waiter == place.waiter }) else {
      return nil
    }
    // The size stays: it bounds what the batch's window has seen.
    batches[place.batch]?.entries.remove(at: index)
    guard let batch = batches[place.batch], batch.entries.isEmpty else { return nil }
    closeForJoining(place.batch, batch.key)
    batches[place.batch] = nil
    return batch.work
  }

  private mutating func resolve(_ waiter: UInt64, _ outcome: Outcome) -> Continuation? {
    guard let known = waiters[waiter], known.outcome == nil else { return nil }
    guard let continuation = known.continuation else {
      waiters[waiter]?.outcome = outcome
      return nil
    }
    waiters[waiter] = nil
    return continuation
  }

  private mutating func close(_ number: UInt64) -> (Contents, Work?)? {
    let window = batches[number]?.work
    batches[number]?.work = nil
    batches[number]?.hasWindowEnded = true
    return endWindow(of: number).map { ($0, window) }
  }

  private mutating func closeForJoining(_ number: UInt64, _ key: MergeCandidate.Key) {
    batches[number]?.isOpen = false
    open[key]?.removeAll { $0 == number }
    if open[key]?.isEmpty == true { open[key] = nil }
  }

  private mutating func addWaiter() -> UInt64 {
    let number = nextNumber()
    waiters[number] = Waiter()
    return number
  }

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }
}
