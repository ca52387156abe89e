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

    /// The highest task priority of the requests.
    var priority: TaskPriority? { entries.map(\.priority).max() }
  }

  /// A request of a batch, and where it waits.
  struct Entry: Sendable {
    let waiter: UInt64
    let item: MergeItem
    let priority: TaskPriority

    fileprivate init(waiter: UInt64, _ candidate: MergeCandidate) {
      self.waiter = waiter
      item = candidate.item
      priority = candidate.priority
    }
  }

  /// How a request can proceed.
  enum Entering {
    /// The request opened a batch, and waits for it: its window starts now or, if there are contents, they
    /// must be sent now.
    case started(Place, Contents?)
    /// The request may join the queue of this first request, if they are compatible.
    case candidate(UInt64, first: Request)
    /// The request must be sent by itself.
    case alone
  }

  /// Whether a request joined a batch.
  enum Joining {
    /// The request waits for the batch.
    case joined(Place)
    /// The request waits, and a full batch must be sent now, whose window is cancelled: the request's own
    /// batch, or the one before it, which had no room for the request.
    case filled(Place, Contents, window: Work?)
    /// The batch has no room for the request and must be sent now; its window is cancelled.
    case noRoom(Contents, window: Work?)
    /// The queue has ended.
    case tooLate
  }

  /// What is to be done after a request has left.
  struct Departure {
    /// The continuation of the request, and its outcome.
    var resumption: (continuation: Continuation, outcome: Outcome)?
    /// The window or the transfer to cancel if the request was the last one of its batch.
    var cancelled: Work?
    /// The batch that waited for the end of that transfer, and must be sent now.
    var next: Contents?
  }

  /// The maximum number of queues of one key, and of queues with whose requests a request is compared.
  static var maximumQueues: Int { 16 }

  /// Compatible requests of one key.
  ///
  /// They are those of the open batch, and by the policy `whileInFlight` also those of the batch that was
  /// sent last. A queue ends when it has neither.
  private struct Queue {
    let key: MergeCandidate.Key
    /// Whether a batch may be opened while another one is in flight.
    let gathersInFlight: Bool
    /// A request of the latest batch, with which others are compared.
    var first: Request
    /// The batch that can be joined.
    var open: UInt64?
    /// The batch in flight whose end sends the open one.
    var latest: UInt64?
  }

  private struct Batch {
    let queue: UInt64
    let send: Send
    var entries: [Entry]
    var size: Int
    /// Whether the batch's window has ended or is to be cancelled, so that its handle is not stored.
    var hasWindowEnded = false
    var work: Work?
  }

  private struct Waiter {
    var continuation: Continuation?
    var outcome: Outcome?
  }

  private var batches: [UInt64: Batch] = [:]
  private var queues: [UInt64: Queue] = [:]
  private var queuesByKey: [MergeCandidate.Key: [UInt64]] = [:]
  private var waiters: [UInt64: Waiter] = [:]
  private var lastNumber: UInt64 = 0

  /// The number of requests that wait.
  var waitingCount: Int { waiters.count }
  /// Whether nothing is stored.
  var isEmpty: Bool {
    batches.isEmpty && queues.isEmpty && queuesByKey.isEmpty && waiters.isEmpty
  }

  /// Returns the next queue with which a request must be compared, or opens a batch in a new one if there is
  /// none.
  ///
  /// A queue of another request since the last call is a candidate as well, so that of two compatible
  /// requests only one opens a queue. Each call needs a further queue in `compared`, so at most
  /// `maximumQueues` calls return a candidate.
  ///
  /// - Parameter compared: The queues with which the request was compared, or which it could not join.
  mutating func enter(
    _ candidate: MergeCandidate, except compared: Set<UInt64>, by rule: MergeRule, send: @escaping Send
  ) -> Entering {
    // Requests that all differ, such as by a field with an ID, would only wait, and be compared in vain.
    guard compared.count < Self.maximumQueues else { return .alone }
    for number in queuesByKey[candidate.key] ?? [] where !compared.contains(number) {
      if let queue = queues[number] { return .candidate(number, first: queue.first) }
    }
    // All queues were compared, so there are fewer than the maximum. A queue has its first batch's number.
    let number = nextNumber()
    queues[number] = Queue(
      key: candidate.key, gathersInFlight: rule.policy == .whileInFlight, first: candidate.item.request)
    queuesByKey[candidate.key, default: []].append(number)
    let place = open(candidate, in: number, as: number, send)
    return .started(place, rule.policy == .whileInFlight ? close(place.batch) : nil)
  }

  /// Opens a batch for a request, in a queue that has none.
  private mutating func open(
    _ candidate: MergeCandidate, in queue: UInt64, as batch: UInt64, _ send: @escaping Send
  ) -> Place {
    let waiter = addWaiter()
    batches[batch] = Batch(
      queue: queue, send: send, entries: [Entry(waiter: waiter, candidate)],
      size: candidate.size)
    queues[queue]?.first = candidate.item.request
    queues[queue]?.open = batch
    return Place(batch: batch, waiter: waiter)
  }

  /// Adds a request to the open batch of a queue, or opens it if the latest one is in flight.
  mutating func join(
    _ candidate: MergeCandidate, _ number: UInt64, by rule: MergeRule, send: @escaping Send
  ) -> Joining {
    guard let queue = queues[number] else { return .tooLate }
    guard let open = queue.open, let batch = batches[open] else {
      return .joined(self.open(candidate, in: number, as: nextNumber(), send))
    }
    let hasRoom =
      batch.size + candidate.size <= rule.maximumBytes
      && !batch.entries.contains { $0.item.id == candidate.item.id }
    guard hasRoom else {
      guard let (contents, window) = closeEarly(open) else { return .tooLate }
      guard queue.gathersInFlight else { return .noRoom(contents, window: window) }
      let place = self.open(candidate, in: number, as: nextNumber(), send)
      return .filled(place, contents, window: window)
    }
    let waiter = addWaiter()
    batches[open]?.entries.append(Entry(waiter: waiter, candidate))
    batches[open]?.size += candidate.size
    let place = Place(batch: open, waiter: waiter)
    guard batch.entries.count + 1 >= rule.maximumCount else { return .joined(place) }
    return closeEarly(open).map { .filled(place, $0, window: $1) } ?? .joined(place)
  }

  /// Ends the window of a batch; returns what is to be sent, or nil if it was sent already or is empty.
  mutating func endWindow(of number: UInt64) -> Contents? {
    batches[number]?.hasWindowEnded = true
    return close(number)
  }

  /// Stores the handle of a batch's window; false if the window has ended or must be cancelled.
  mutating func storeWindow(_ work: Work, of number: UInt64) -> Bool {
    guard let batch = batches[number], !batch.hasWindowEnded else { return false }
    batches[number]?.work = work
    return true
  }

  /// Stores the handle of the transfer of a batch; false if it must be cancelled, because no request waits
  /// for the batch any longer.
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

  /// Removes a batch that has ended, and returns the continuations of its requests with their outcomes, and
  /// the batch that has waited for this end and must be sent now.
  ///
  /// - Parameter outcomes: The outcomes, in the order of the batch's entries.
  mutating func finish(
    _ contents: Contents, _ outcomes: [Outcome]
  ) -> (resumptions: [(continuation: Continuation, outcome: Outcome)], next: Contents?) {
    let resumptions = zip(contents.entries, outcomes).compactMap { entry, outcome in
      resolve(entry.waiter, outcome).map { (continuation: $0, outcome: outcome) }
    }
    return (resumptions, end(contents.batch))
  }

  /// Removes a request that is cancelled.
  mutating func leave(_ place: Place, _ outcome: (_ wasSent: Bool) -> Outcome) -> Departure {
    guard waiters[place.waiter] != nil, waiters[place.waiter]?.outcome == nil else { return Departure() }
    let outcome = outcome(!isOpen(place.batch))
    let continuation = resolve(place.waiter, outcome)
    var departure = removeEntry(place)
    departure.resumption = continuation.map { ($0, outcome) }
    return departure
  }

  private mutating func removeEntry(_ place: Place) -> Departure {
    guard let index = batches[place.batch]?.entries.firstIndex(where: { $0.waiter == place.waiter }) else {
      return Departure()
    }
    // The size stays: it bounds what the batch has gathered.
    batches[place.batch]?.entries.remove(at: index)
    guard let batch = batches[place.batch], batch.entries.isEmpty else { return Departure() }
    // A transfer that is cancelled has ended for those that wait for it, even if the dispatcher is slow to
    // react.
    return Departure(cancelled: batch.work, next: end(place.batch))
  }

  /// Removes a batch, and its queue if it has no other; returns the batch that has waited for this end.
  private mutating func end(_ number: UInt64) -> Contents? {
    guard let batch = batches.removeValue(forKey: number), var queue = queues[batch.queue] else { return nil }
    if queue.open == number {
      queue.open = nil
    } else if queue.latest == number {
      queue.latest = nil
    }
    queues[batch.queue] = queue
    if let open = queue.open { return queue.latest == nil ? close(open) : nil }
    if queue.latest == nil { removeQueue(batch.queue) }
    return nil
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

  private func isOpen(_ number: UInt64) -> Bool {
    batches[number].flatMap { queues[$0.queue]?.open } == number
  }

  /// Closes an open batch, and returns what is to be sent; nil if it isn't open.
  private mutating func close(_ number: UInt64) -> Contents? {
    guard let batch = batches[number], isOpen(number) else { return nil }
    queues[batch.queue]?.open = nil
    if queues[batch.queue]?.gathersInFlight == true {
      queues[batch.queue]?.latest = number
    } else {
      removeQueue(batch.queue)
    }
    return Contents(batch: number, entries: batch.entries, send: batch.send)
  }

  /// Closes a batch before the end of its window.
  private mutating func closeEarly(_ number: UInt64) -> (Contents, Work?)? {
    let window = batches[number]?.work
    batches[number]?.work = nil
    batches[number]?.hasWindowEnded = true
    return close(number).map { ($0, window) }
  }

  private mutating func removeQueue(_ number: UInt64) {
    guard let key = queues.removeValue(forKey: number)?.key else { return }
    queuesByKey[key]?.removeAll { $0 == number }
    if queuesByKey[key]?.isEmpty == true { queuesByKey[key] = nil }
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
