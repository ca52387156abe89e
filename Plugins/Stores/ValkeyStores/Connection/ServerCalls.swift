import Interception
import NonceStores

/// Turns the calls of a store into exchanges with its server.
protocol CallHandler: Sendable {
  associatedtype Call: Sendable
  associatedtype Reply: Sendable

  /// Whether the server may evict keys.
  static var allowsEviction: Bool { get }
  /// The maximum number of calls that are handled together.
  static var batchSize: Int { get }

  /// Returns a reply to each call.
  mutating func replies(to calls: [Call], over link: ServerLink) throws(NonceStoreError) -> [Reply]
}

/// The calls of a store, which are sent to the server on a thread of their own, since hiredis blocks.
///
/// Thread and connection are opened with the first call, and closed when this is released.
final class ServerCalls<Handler: CallHandler>: Sendable {
  private struct Waiting: Sendable {
    let call: Handler.Call
    /// The time after which the call is not sent any more.
    let deadline: Duration
    let continuation: CheckedContinuation<Result<Handler.Reply, NonceStoreError>, Never>
  }

  private let handler: Handler
  private let store: String
  private let configuration: ValkeyConfiguration
  private let fault: ServerFault
  private let time: TimeSource
  private let random: @Sendable () -> UInt64
  private let queue: CallQueue<Waiting>

  /// Creates calls.
  ///
  /// - Parameter store: The store in messages, such as "nonce store".
  init(
    _ handler: Handler, of store: String, _ configuration: ValkeyConfiguration, fault: ServerFault,
    time: TimeSource, random: @escaping @Sendable () -> UInt64
  ) {
    self.handler = handler
    self.store = store
    self.configuration = configuration
    self.fault = fault
    self.time = time
    self.random = random
    queue = CallQueue(maximumCount: configuration.maximumWaitingClaims)
  }

  deinit { queue.close() }

  /// The time after which a call that begins now is not sent any more.
  var deadline: Duration { time.now() + configuration.connectTimeout + configuration.commandTimeout }

  /// Makes a call, and returns its reply.
  func result(of call: Handler.Call, by deadline: Duration) async -> Result<Handler.Reply, NonceStoreError> {
    await withCheckedContinuation { continuation in
      switch queue.add(Waiting(call: call, deadline: deadline, continuation: continuation)) {
      case .added: break
      case .addedFirst: startThread()
      case .full:
        continuation.resume(returning: .failure(fault.overloaded(configuration.maximumWaitingClaims)))
      }
    }
  }

  private func startThread() {
    let isStarted = WorkerThread.start { [queue, handler, configuration, fault, time, random] in
      let link = ServerLink(
        configuration, allowsEviction: Handler.allowsEviction, fault: fault, time: time, random: random)
      var handler = handler
      while let calls = queue.next() {
        for start in stride(from: 0, to: calls.count, by: Handler.batchSize) {
          let batch = calls[start..<min(start + Handler.batchSize, calls.count)]
          let (now, late) = (time.now(), fault.timedOut(after: configuration.commandTimeout))
          for call in batch where call.deadline < now { call.continuation.resume(returning: .failure(late)) }
          Self.handle(batch.filter { $0.deadline >= now }, by: &handler, over: link)
        }
      }
    }
    guard !isStarted else { return }
    let error = NonceStoreError(
      .unreachable, "The system can't create a thread for the \(store); check the limits of the process.")
    for call in queue.removeAll() { call.continuation.resume(returning: .failure(error)) }
  }

  private static func handle(_ batch: [Waiting], by handler: inout Handler, over link: ServerLink) {
    guard !batch.isEmpty else { return }
    do throws(NonceStoreError) {
      let replies = try handler.replies(to: batch.map(\.call), over: link)
      for (call, reply) in zip(batch, replies) { call.continuation.resume(returning: .success(reply)) }
    } catch {
      for call in batch { call.continuation.resume(returning: .failure(error)) }
    }
  }
}
