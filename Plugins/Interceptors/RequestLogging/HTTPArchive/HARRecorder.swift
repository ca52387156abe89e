import HTTPTypes
public import Interception
import Synchronization

/// Records exchanges for export as an HTTP Archive (HAR 1.2), redacted like the log.
///
/// Use it to attach what an app sent and received to a bug report, or to look at it with a tool that imports
/// HAR, such as the network panel of a browser. Don't use it as a cassette for tests: values are hidden, and
/// bodies are left out unless `bodies` asks for them.
///
/// ```swift
/// let recorder = HARRecorder(capacity: 100)
/// let pipeline = try Pipeline(over: dispatcher) {
///   CachingInterceptor()
///   recorder
/// }
/// let archive = recorder.archive()
/// ```
///
/// It stands at stage `logging` (800) and records each attempt as it is on the wire. In a `Pipeline` it is
/// also an observer, and records calls that send nothing: cached responses, with an explanation in `cache`,
/// and calls that failed before they were sent. Of these, header fields and query are unknown.
///
/// An entry is redacted and written as JSON when its exchange ends; secrets are not kept in memory. Memory is
/// bounded by `capacity` and `byteLimit`; the oldest entries are removed first. Cookies are left out.
public final class HARRecorder: Interceptor {
  /// At stage `Stage.logging`; has no requirements.
  public let traits = InterceptorTraits(stage: .logging)
  let format: ArchiveFormat
  let time: TimeSource
  private let creator: JSONValue
  private let store: Mutex<ArchiveStore>

  /// Creates a recorder without entries.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of entries.
  ///   - byteLimit: The maximum length of all entries as JSON, in bytes; 4 MiB by default.
  ///   - redaction: What may be shown; its mark is replaced by `REDACTED`, which is legal in a URL.
  ///   - bodies: How much of the bodies is recorded; nothing by default.
  ///   - application: The name and version of the app, which the archive names as its creator.
  ///   - time: The clock that measures durations and dates the entries.
  public init(
    capacity: Int = 256, byteLimit: Int = 4 << 20, redaction: Redaction = Redaction(),
    bodies: BodySampling = .none, application: (name: String, version: String) = ("Switchyard", ""),
    time: TimeSource = .system
  ) {
    format = ArchiveFormat(redaction: redaction, bodies: bodies)
    self.time = time
    creator = ArchiveDocument.creator(application)
    store = Mutex(ArchiveStore(capacity: capacity, byteLimit: byteLimit))
  }

  /// Returns the entries as a HAR 1.2 document, oldest first: JSON in UTF-8.
  ///
  /// An exchange whose response is still being read is not part of it.
  ///
  /// - Parameter partition: The account whose requests are included, as in `RequestContext.partition`;
  ///   requests without one have an empty partition. By default those of all accounts are included: a report
  ///   that a user sends should not contain the requests of another account that used the app.
  public func archive(of partition: String? = nil) -> [UInt8] {
    document { partition == nil || $0.partition == partition }
  }

  private func document(of isIncluded: (ArchiveStore.Entry) -> Bool) -> [UInt8] {
    let (all, omittedCount) = store.withLock { ($0.entries, $0.omittedCount) }
    return ArchiveDocument.bytes(
      of: all.filter(isIncluded).map(\.json), creator: creator, omittedCount: omittedCount)
  }

  /// Removes all entries.
  public func removeAll() { store.withLock { $0.removeAll() } }

  func add(_ entry: ArchiveEntry, partition: String) {
    let entry = ArchiveStore.Entry(json: entry.json.bytes, partition: partition)
    store.withLock { $0.add(entry) }
  }

  /// Sends the request, and records how that ends.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    let tracker = tracker(in: next)
    tracker?.noteAttempt(of: request)
    let (startedAt, start) = (time.wallTime(), time.now())
    do throws(NetworkError) {
      return try recorded(try await next.dispatch(request), request, tracker, startedAt, since: start)
    } catch {
      record(.failed(ArchivedFailure(error)), request, tracker, startedAt, since: start)
      tracker?.noteFailure(error)
      throw error
    }
  }

  private func recorded(
    _ response: Response, _ request: Request, _ tracker: CallTracker?, _ startedAt: WallTime,
    since start: Duration
  ) throws(NetworkError) -> Response {
    let (head, transport) = (response.head, response.exchange.transport)
    let sample = format.bodies.sample(of: head, to: request)
    switch response.body {
    case .bytes(let bytes):
      record(
        .answered(head, bytes: Int64(bytes.count), sample: sample.bytes(of: bytes), transport), request,
        tracker, startedAt, since: start)
      return response
    case .stream(let stream):
      return try response.sampling(stream, upTo: sample.keptBytes) { [self] ending, seen, transport in
        let result: ArchivedResult =
          switch ending {
          case .complete:
            .answered(head, bytes: seen.count, sample: sample.bytes(of: seen.sample), transport)
          case .failed(let error): .interrupted(head, bytes: seen.count, transport, ArchivedFailure(error))
          case .dropped: .interrupted(head, bytes: seen.count, transport, nil)
          }
        record(result, request, tracker, startedAt, since: start)
      }
    }
  }

  private func record(
    _ result: ArchivedResult, _ request: Request, _ tracker: CallTracker?, _ startedAt: WallTime,
    since start: Duration
  ) {
    var entry = ArchiveEntry(
      request, result, startedAt: startedAt, after: time.now() - start, format: format)
    entry.alterations = (tracker?.alterations ?? []).map(\.description)
    add(entry, partition: request.context.partition)
  }
}

extension HARRecorder: PipelineObserver {
  /// Receives nothing: each call has a tracker of its own.
  public func observe(_ event: PipelineEvent) {}
}

extension HARRecorder: CallObserver, CallLogging {
  package func recorder(
    of request: Request, at time: Duration, by clock: TimeSource
  ) -> (any CallRecorder)? {
    CallTracker(of: request, for: self)
  }

  func log(_ call: CallTracker.FinishedCall) {
    let result: ArchivedResult
    switch call.reason {
    case .answeredFromCache(let status), .answeredWithoutNetwork(let status):
      result = .answered(HTTPResponse(status: status), bytes: 0, sample: [], nil)
    case .failed(let error): result = .failed(ArchivedFailure(error))
    // Their attempts are entries already.
    case .forwardedByCache, .notRetried: return
    }
    let summary = call.summary
    var entry = ArchiveEntry(
      summary, call.called.id, attempt: call.attempt, result, cache: call.cache,
      startedAt: time.wallTime().advanced(by: .zero - call.duration), after: call.duration, format: format)
    entry.alterations = call.alterations.map(\.description)
    add(entry, partition: summary.partition)
  }
}

/// The recorded entries, of a bounded number and size; the oldest ones are removed.
struct ArchiveStore: Sendable {
  struct Entry: Sendable {
    let json: [UInt8]
    /// The partition of the request.
    let partition: String
  }

  private(set) var entries: [Entry] = []
  /// The number of entries that were removed, or too large to keep.
  private(set) var omittedCount = 0
  private var byteCount = 0
  private let capacity: Int
  private let byteLimit: Int

  init(capacity: Int, byteLimit: Int) {
    self.capacity = max(1, capacity)
    self.byteLimit = max(1, byteLimit)
  }

  mutating func add(_ entry: Entry) {
    guard entry.json.count <= byteLimit else {
      omittedCount += 1
      return
    }
    entries.append(entry)
    byteCount += entry.json.count
    while entries.count > capacity || byteCount > byteLimit {
      byteCount -= entries.removeFirst().json.count
      omittedCount += 1
    }
  }

  mutating func removeAll() {
    entries = []
    (byteCount, omittedCount) = (0, 0)
  }
}
