import HTTPTypes
public import Interception
public import ResponseCaching
import Synchronization

/// The requests of an HTTP Archive (HAR 1.2), as a cache would have seen them.
public struct ArchiveRun: Sendable {
  /// A request of the archive.
  struct Call: Sendable {
    let time: WallTime
    let request: Request
    let response: HTTPResponse
    let size: Int
    let isHit: Bool
  }

  let calls: [Call]
  /// The entries that could not be read, such as those without a URL or a status.
  public let omittedCount: Int
  /// Whether the archive hides the values of queries, so that requests that differ only there look equal.
  public let hidesQueries: Bool

  /// Reads an archive, such as one of `HARRecorder`, or of the network panel of a browser.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unreadable`` if it is not an archive.
  public init(_ bytes: [UInt8]) throws(ToolFailure) {
    let document = try HTTPArchive(bytes)
    let entries = document.log.entries.compactMap(\.value)
    var latest: [String: (response: HTTPResponse, size: Int)] = [:]
    var calls: [Call] = []
    for (time, entry) in entries.compactMap({ entry in entry.time.map { ($0, entry) } })
      .sorted(by: { $0.0 < $1.0 })
    {
      guard let call = Self.call(of: entry, at: time, &latest) else { continue }
      calls.append(call)
    }
    self.calls = calls
    omittedCount = document.log.entries.count - calls.count
    hidesQueries = entries.contains { $0.request.url.contains("=REDACTED") }
  }

  /// Returns the requests as a recording, for `CacheAdvice`.
  ///
  /// The library's cache itself decides which responses are stored, and how long they are fresh: each request
  /// is sent through it, at its own time, over a dispatcher that returns the archived response.
  public func recording(rule: CacheRule = .stated()) async throws -> CacheRecording {
    let recorder = CacheRecorder(maximumRequests: calls.count)
    let replay = ArchiveReplay(start: calls.first?.time ?? WallTime(secondsSince1970: 0))
    let cache = CachingInterceptor(
      store: NothingStored(), defaultRule: rule, time: replay.time, recorder: recorder)
    let pipeline = try Pipeline(over: replay) { cache }
    var recording = CacheRecording()
    for call in calls {
      let count = recorder.recording.entries.count
      replay.prepare(call)
      _ = try? await pipeline.send(call.request)
      guard var entry = recorder.recording.entries.last, recorder.recording.entries.count > count else {
        continue
      }
      // The body was left out, so that a false size in an archive allocates nothing.
      entry.size = entry.size.map { $0 + call.size }
      entry.isHit = call.isHit
      recording.entries.append(entry)
    }
    return recording
  }

  private static func call(
    of entry: HTTPArchive.Entry, at time: WallTime,
    _ latest: inout [String: (response: HTTPResponse, size: Int)]
  ) -> Call? {
    guard let method = HTTPRequest.Method(entry.request.method), let status = entry.response.status,
      (100...999).contains(status), var request = try? Request(entry.request.url, method: method)
    else { return nil }
    request.head.headerFields = fields(entry.request.headers, leavingOut: [])
    var response = HTTPResponse(
      status: HTTPResponse.Status(code: status),
      // The text of an archive is the decoded content.
      headerFields: fields(
        entry.response.headers, leavingOut: [.contentEncoding, .contentLength, .transferEncoding]))
    var size = Int(min(max(entry.response.content?.size ?? 0, 0), 1 << 40))
    let name = "\(method) \(entry.request.url)"
    // A 304 confirms the response before it; an entry from a cache may have no fields.
    if let known = latest[name], status == 304 || entry.isFromCache && response.headerFields.isEmpty {
      response = known.response
      size = known.size
    } else if status == 304 {
      return nil
    }
    // What the recorded client had stored must not matter.
    for field in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { request.head.headerFields[field] = nil }
    latest[name] = (response, size)
    return Call(time: time, request: request, response: response, size: size, isHit: entry.isFromCache)
  }

  private static func fields(
    _ list: [HTTPArchive.Field]?, leavingOut names: Set<HTTPField.Name>
  ) -> HTTPFields {
    var fields = HTTPFields()
    for field in list ?? [] {
      guard let name = HTTPField.Name(field.name), !names.contains(name),
        HTTPField.isValidValue(field.value)
      else { continue }
      fields.append(HTTPField(name: name, value: field.value))
    }
    return fields
  }
}

/// Returns the response of the archived call whose turn it is; its clock shows the time of that call.
private final class ArchiveReplay: Dispatcher {
  private let start: WallTime
  private let state: Mutex<(now: WallTime, response: HTTPResponse)>

  init(start: WallTime) {
    self.start = start
    state = Mutex((start, HTTPResponse(status: .notFound)))
  }

  func prepare(_ call: ArchiveRun.Call) { state.withLock { $0 = (call.time, call.response) } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    Response(state.withLock { $0.response })
  }

  fileprivate var now: WallTime { state.withLock { $0.now } }

  var time: TimeSource { TimeSource(ReplayClock(replay: self, start: start), wall: { [self] in now }) }
}

private struct ReplayClock: Clock {
  let replay: ArchiveReplay
  let start: WallTime

  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant(offset: start.duration(to: replay.now)) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

/// A store that keeps nothing, so that each request is judged as a miss.
private struct NothingStored: ResponseStore {
  var maximumResponseBytes: Int { .max }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? { nil }

  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
    false
  }

  func remove(_ selection: CacheSelection) async -> Int { 0 }
}
