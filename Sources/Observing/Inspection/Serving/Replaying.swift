import HTTPTypes
public import Interception
import Synchronization

extension Inspector {
  /// Lets the page send recorded requests again, through a pipeline.
  ///
  /// Only safe requests without content are sent again: GET, HEAD and OPTIONS. Each is a new request with the
  /// recorded target, header fields and options, as it was called, so that the pipeline adds what it adds to
  /// every request, and a call of its own.
  ///
  /// - Parameters:
  ///   - pipeline: Sends the requests; it must have the inspector as an observer, and isn't retained.
  ///   - account: Returns the account of the present user, as in `RequestContext.partition`. The request of
  ///     another account isn't sent again.
  public func replays(
    through pipeline: Pipeline, account: @escaping @Sendable () -> String = { "" }
  ) {
    replaying.begin(through: pipeline, account: account)
  }
}

/// Sends recorded requests again, each in a task that ends with the inspector.
final class Replaying: Sendable {
  /// The maximum number of replays at a time.
  private static let limit = 8

  private struct State {
    /// Weak, because the pipeline retains the inspector.
    weak var pipeline: Pipeline?
    var account: @Sendable () -> String = { "" }
    /// The numbers that the calls of requests will have.
    var numbers: [RequestID: Int] = [:]
    var tasks: [RequestID: Task<Void, Never>] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())
  private let awaitedCount = Atomic(0)

  func begin(through pipeline: Pipeline, account: @escaping @Sendable () -> String) {
    state.withLock { state in
      state.pipeline = pipeline
      state.account = account
    }
  }

  /// Returns the number that was promised for the call of a request that starts now.
  func id(of request: RequestID) -> Int? {
    guard awaitedCount.load(ordering: .relaxed) > 0 else { return nil }
    return state.withLock { state in
      guard let number = state.numbers.removeValue(forKey: request) else { return nil }
      awaitedCount.subtract(1, ordering: .relaxed)
      return number
    }
  }

  /// Why the request of a call can't be sent again; nil if it can.
  func refusal(of record: CallRecord) -> String? {
    let (hasPipeline, account) = state.withLock { ($0.pipeline != nil, $0.account) }
    guard hasPipeline else {
      return "The app doesn't allow it; call replays(through:) with its pipeline."
    }
    let method = record.request.head.method
    guard [.get, .head, .options].contains(method) else {
      return
        "A \(method.rawValue) may change something on the server; only GET, HEAD and OPTIONS are sent again."
    }
    guard record.request.body.size == 0 else {
      return "The request has content; only requests without content are sent again."
    }
    guard record.partition == account() else {
      return "The call was made for another account than the present one; log in as that account."
    }
    return nil
  }

  /// Sends the request of a call again, and returns the number of the new call.
  ///
  /// - Throws: ``ReplayRefusal``.
  func replay(_ record: CallRecord, as number: Int) throws(ReplayRefusal) {
    if let sentence = refusal(of: record) { throw ReplayRefusal(sentence: sentence) }
    var request = Request(record.request.head, options: record.options)
    request.context.api = record.api
    request.context.cacheRule = record.cacheRule
    request.context.partition = record.partition
    // The recorded fields may be those that the caller has added, which a redirect must not lead elsewhere.
    request.context.credentialFields = record.credentialFields
    // A stream would have no reader.
    request.options.delivery = .buffered(upTo: 8 << 20)
    let isStarted = state.withLock { state in
      guard let pipeline = state.pipeline, !state.isClosed, state.tasks.count < Self.limit else {
        return false
      }
      state.numbers[request.id] = number
      awaitedCount.add(1, ordering: .relaxed)
      state.tasks[request.id] = Task { [weak self, request] in
        _ = try? await pipeline.send(request)
        self?.end(request.id)
      }
      return true
    }
    guard isStarted else {
      throw ReplayRefusal(sentence: "\(Self.limit) requests are being sent again; wait until one has ended.")
    }
  }

  private func end(_ request: RequestID) {
    state.withLock { state in
      state.tasks[request] = nil
      // The pipeline has another observer than the inspector.
      if state.numbers.removeValue(forKey: request) != nil { awaitedCount.subtract(1, ordering: .relaxed) }
    }
  }

  /// Cancels the requests that are being sent again, and returns when they have ended.
  func cancel() async {
    let tasks = state.withLock { Array($0.tasks.values) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Cancels the requests that are being sent again, and sends no others.
  func cancelAll() {
    let tasks = state.withLock { state in
      state.isClosed = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }
}

/// Why a request isn't sent again, in a sentence.
struct ReplayRefusal: Error, Equatable {
  let sentence: String
}
