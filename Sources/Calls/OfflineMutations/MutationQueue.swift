// For QueueError, and for what the compiler says without the trait.
@_exported public import DurableQueues

#if SQLite
public import Interception

/// Stores requests that change something on the server.
///
/// Delivers them when there is a network, in order for each resource.
///
/// Use it for changes that the app shows as done before the server knows them: a favorite, a read mark, a
/// draft. Don't use it for a change whose result the user waits for, such as a payment, and for large
/// uploads.
///
/// ```swift
/// let queue = try MutationQueue(path: "/var/lib/estate/mutations.sqlite", over: pipeline) { account.id }
/// queue.start()
/// var request = Request(method: .put, authority: "api.example.com", path: "/favorites/42")
/// request.context.partition = account.id
/// try await queue.enqueue(request, resource: "favorites/42")
/// ```
///
/// A mutation whose ``enqueue(_:resource:idempotencyKey:)`` has returned is on the disk: it is delivered even
/// after SIGKILL or a power failure. It leaves the queue when the server has accepted it. If the process is
/// killed in between, the mutation is sent again with the same `Idempotency-Key`, by which the server
/// recognizes it.
///
/// Mutations of one resource are sent one after the other, in the order in which they were enqueued.
/// Mutations of other resources don't wait for them. A response that is temporary (401, 407, 408, 425, 429,
/// or none of 2xx and 4xx) makes the resource's mutations wait, from 1 s up to 5 min with full jitter, or as
/// `Retry-After` requests within that limit. Without a response, all mutations for the same origin wait, and
/// mutations for other origins don't. A 409 that may concern an earlier attempt with the same key, and a
/// response that an interceptor refuses, are repeated at most 10 times. Any other 4xx sets the mutation
/// aside, and the next one is sent.
///
/// A mutation belongs to the account in its request's `RequestContext.partition`, or else to the account that
/// uses the app when it is enqueued. It is sent only while its account uses the app. Mutations of other
/// accounts keep their places and block nothing.
///
/// Credentials are not stored. The pipeline signs and authorizes each delivery: it should have no cache, and
/// can be the app's.
public final class MutationQueue: Sendable {
  let storage: MutationFile
  let delivery: MutationDelivery
  private let limits: MutationLimits
  private let time: TimeSource
  private let pipeline: (any IdentifyingDispatcher)?
  private let task = DeliveryTask()

  /// Opens a queue, and creates its file if it doesn't exist; this blocks the calling thread.
  ///
  /// A damaged file is renamed, see ``damagedFile``, and the mutations that can still be read are kept.
  /// Nothing is sent until ``start()``.
  ///
  /// - Parameters:
  ///   - path: The file, on a local disk; two more are created beside it.
  ///   - dispatcher: The pipeline of the deliveries.
  ///   - account: Returns the account that uses the app, as requests have it in `RequestContext.partition`
  ///     and `APIClient` has it in its `account`; an empty string while there is none. Mutations of other
  ///     accounts aren't sent. Call ``accountDidChange()`` when it returns another one.
  /// - Throws: `QueueError` of kind `.file(.occupied)` if another queue has the file open, or the
  ///   failure of the file.
  public convenience init(
    path: String, over dispatcher: any Dispatcher, limits: MutationLimits = MutationLimits(),
    time: TimeSource = .system, account: @escaping @Sendable () -> String
  ) throws(QueueError) {
    try self.init(
      path: path, over: dispatcher, limits: limits, time: time, random: { .random(in: 0..<1) },
      account: account)
  }

  /// Opens a queue with chosen random numbers, and a chosen executor of the accesses to its file.
  package init(
    path: String, over dispatcher: any Dispatcher, limits: MutationLimits, time: TimeSource,
    random: @escaping @Sendable () -> Double, executor: QueueFile.Executor? = nil,
    account: @escaping @Sendable () -> String
  ) throws(QueueError) {
    let waiting: [MutationFile.Waiting]
    do throws(QueueFileError) {
      (storage, waiting) = try MutationFile.open(
        path, maximumCount: limits.count, now: time.wallTime(), executor: executor)
    } catch { throw QueueError(error) }
    self.limits = limits
    self.time = time
    pipeline = dispatcher as? any IdentifyingDispatcher
    delivery = MutationDelivery(
      storage, waiting, inFlight: limits.inFlight, over: dispatcher, account: account, time: time,
      random: random)
  }

  /// The path that a damaged file was moved to when the queue was opened; nil if there was none.
  public var damagedFile: String? { storage.file.damagedFile }

  /// Begins to deliver, first of all what an earlier process has left; does nothing if it has begun.
  public func start() {
    task.start(priority: .utility, preparing: delivery.signal.makeStream) { [delivery] in
      await delivery.run($0)
    }
  }

  /// Stops delivering, and returns when it has stopped; requests in flight are cancelled and sent again
  /// later.
  ///
  /// Mutations can still be enqueued.
  public func stop() async { await task.stop() }

  /// Stops delivering, closes the file and ends the streams of changes; nothing can be enqueued afterwards.
  public func close() async {
    await stop()
    await storage.file.finish()
    delivery.changes.finish()
  }

  /// Checks again which mutations can be sent, because another account uses the app.
  ///
  /// Call it before and after the credentials are replaced.
  ///
  /// Requests in flight on behalf of another account are cancelled, and sent again with their keys when the
  /// account is back.
  public func accountDidChange() { delivery.accountDidChange() }

  /// Reports whether there is a network.
  ///
  /// Without one, nothing is sent. When it returns, all waiting mutations are sent at once, except those that
  /// a server wants later (`Retry-After`).
  ///
  /// Until the first report, the queue assumes a network.
  public func networkDidChange(isAvailable: Bool) {
    delivery.change { $0.setNetwork(available: isAvailable) }
  }

  /// Stores a request, and returns when it is on the disk.
  ///
  /// - Parameters:
  ///   - request: A request with a complete URL, without credentials. The queue stores the API and the
  ///     partition of its context, and not its options. A request without a partition gets the account that
  ///     uses the app.
  ///   - resource: What it changes; requests with the same resource are delivered in order.
  ///   - idempotencyKey: The key by which the server recognizes a repeat; 128 random bits by default. If a
  ///     mutation with the key and the same request waits, it is returned, and nothing is stored.
  /// - Throws: `QueueError`; the request was not stored. `.keyInUse` if
  ///   another request waits with the key.
  @discardableResult
  public func enqueue(
    _ request: Request, resource: String, idempotencyKey: String? = nil
  ) async throws(QueueError) -> Mutation {
    var generator = SystemRandomNumberGenerator()
    let id = idempotencyKey ?? RandomIdentifier.next(using: &generator)
    try Mutation.check(pipeline?.identified(request) ?? request, resource: resource, id: id)
    let request = try owned(request, resource)
    let body = try await body(of: request, resource)
    let mutation = Mutation(request, resource: resource, id: id, body: body, time: time.wallTime())
    let insertion: MutationFile.Insertion
    do throws(QueueFileError) {
      insertion = try await storage.insert(mutation) { [delivery] sequence in
        let entry = MutationLines.Entry(
          sequence: sequence, id: mutation.id, origin: RequestOrigin(mutation.head))
        delivery.change { $0.add(entry, to: mutation.key) }
        delivery.report(.enqueued(mutation))
      }
    } catch { throw QueueError(error) }
    switch insertion {
    case .inserted: return mutation
    case .known(let known) where known.isSameRequest(as: mutation): return known
    case .known(let known):
      // What another account changes is not shown.
      let owner =
        known.partition == mutation.partition
        ? "another request, for \"\(known.resource)\"," : "a request of another account,"
      throw QueueError(
        .keyInUse,
        "The idempotency key \"\(id)\" for \"\(resource)\" belongs to \(owner) which waits; use a key for each "
          + "request, or cancel that one first.")
    case .full:
      throw QueueError(
        .queueFull,
        "The queue has its maximum of \(limits.count) mutations; discard those that were rejected, or raise "
          + "the limit.")
    }
  }

  /// Returns a request that belongs to an account, if the app has any.
  ///
  /// Otherwise the credentials of another account could be added to it at delivery.
  private func owned(_ request: Request, _ resource: String) throws(QueueError) -> Request {
    guard request.context.partition.isEmpty else { return request }
    var request = request
    request.context.partition = delivery.account()
    if request.context.partition.isEmpty, let identified = pipeline?.identified(request),
      identified.identity?.isLasting == true, !identified.context.partition.isEmpty
    {
      throw QueueError(
        .invalid,
        "The request for \"\(resource)\" would be sent with the credentials of an account, and the queue has none; "
          + "return the account from the queue's `account`, or set the request's partition.")
    }
    return request
  }

  private func body(of request: Request, _ resource: String) async throws(QueueError) -> [UInt8] {
    do throws(NetworkError) { return try await request.body.collect(upTo: limits.bodyBytes) } catch {
      if case .bodyTooLarge = error.kind {
        throw QueueError(
          .tooLarge,
          "The body for \"\(resource)\" has more than \(limits.bodyBytes) bytes; upload it without the queue, "
            + "or raise the limit.")
      }
      throw QueueError(
        .invalid, "The body for \"\(resource)\" can't be read (\(error.label)); pass its bytes.")
    }
  }
}

#endif
