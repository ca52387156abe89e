import BodyCompression
import CookieKeeping
import CurlTransport
import Foundation
import HTTPTypes
import Interception
import RedirectFollowing
import RequestFiles
import RequestLogging
import RequestRetry
import RequestValidation
import ResponseCaching
import SQLiteStores
import Synchronization
import ToolCommands

/// The chain of one run of the program, and what it records.
struct Session: Sendable {
  let pipeline: Pipeline
  /// The requests that the call sent.
  let tracer: ExchangeTracer
  private let options: ChainOptions
  private let recorder: HARRecorder?
  private let disk: NotingStore?

  /// Creates the chain that the options describe.
  ///
  /// - Parameters:
  ///   - cache: The directory of the cache; nil for none.
  ///   - retries: How often a failed request is sent again by the chain.
  ///   - keepsCookies: Whether cookies are kept in memory if there is no file for them.
  init(_ options: ChainOptions, cache: String? = nil, retries: Int, keepsCookies: Bool = false) throws {
    let redaction = options.redaction
    let recorder = options.har.map { _ in
      HARRecorder(
        capacity: 10_000, byteLimit: 64 << 20, redaction: redaction,
        application: ("switchyard", ConnectionOptions.version))
    }
    let tracer = ExchangeTracer(redaction: redaction)
    let disk = cache.map { NotingStore(directory: $0) }
    let store = try options.cookies.map { path throws(ToolFailure) in try Self.cookies(in: path) }
    let cookies = store ?? (keepsCookies ? CookieStore() : nil)
    let bypass = try options.connection.bypass()
    pipeline = try Pipeline(over: try options.connection.dispatcher()) {
      ValidationInterceptor(limits: RequestLimits(allowsBodyOfGet: true))
      RedirectInterceptor(limit: options.maxRedirects)
      if retries > 0 {
        // What the command line asks for is not limited by a budget of an app.
        RetryInterceptor(RetryPolicy(attemptLimit: retries + 1), budget: nil)
      }
      cookies.map { CookieInterceptor($0) }
      disk.map { CachingInterceptor(store: $0, defaultRule: .stated()) }
      bypass
      CompressionInterceptor(requests: .never)
      recorder
      tracer
    }
    (self.tracer, self.recorder, self.disk, self.options) = (tracer, recorder, disk, options)
  }

  /// Returns a request as the chain would send it, with cookies and without sending it.
  static func prepared(_ request: Request, _ options: ChainOptions) async throws -> Request {
    let capture = CapturingDispatcher()
    let store = try options.cookies.map { path throws(ToolFailure) in try cookies(in: path) }
    let pipeline = try Pipeline(over: capture) {
      ValidationInterceptor(limits: RequestLimits(allowsBodyOfGet: true))
      store.map { CookieInterceptor($0) }
      CompressionInterceptor(requests: .never)
    }
    _ = try await pipeline.send(request)
    return capture.request ?? request
  }

  /// Returns the cookies of a file.
  ///
  /// A file that is no cookie file is refused before the store renames it. Of a damaged one the store keeps
  /// what can be read.
  static func cookies(in path: String) throws(ToolFailure) -> CookieStore {
    if let attributes = try? FileManager.default.attributesOfItem(atPath: path) {
      let title = Data("switchyard cookies 1\n".utf8)
      guard attributes[.type] as? FileAttributeType == .typeRegular,
        let handle = FileHandle(forReadingAtPath: path), (try? handle.read(upToCount: title.count)) == title
      else {
        throw ToolFailure(
          .unreadable,
          "\(Printable.text(path)) is no cookie file of this program, or can't be read; name another one.")
      }
    }
    let faults = CookieFaults()
    let store = CookieStore(file: path) { faults.receive($0) }
    guard let fault = faults.whileOpening() else { return store }
    let text = Printable.text("\(fault)")
    guard case .damaged = fault else { throw ToolFailure(.unreadable, text) }
    Terminal.note(text)
    return store
  }

  /// Waits until everything is stored, and writes the archive, the waterfall and the explanation.
  ///
  /// - Parameters:
  ///   - response: The response, when it has been read; nil if there was none.
  ///   - scrubber: What hides further secrets in all of them.
  func finish(
    _ response: Exchange?, failure: (any Error)?, hadCredentials: Bool = false,
    scrubber: SecretScrubber = SecretScrubber([])
  ) async throws(ToolFailure) {
    let total = tracer.elapsed
    await disk?.close()
    let cache = disk?.status(after: response?.cache) ?? response?.cache
    let refusal = (response?.retryRefusal ?? (failure as? NetworkError)?.retryRefusal)?.label
    let waterfall = Waterfall(
      exchanges: tracer.exchanges, cache: cache, retryRefusal: refusal, total: total)
    if options.trace {
      let lines = waterfall.lines(Terminal.error.ink(options.color), width: Terminal.error.width)
      try Terminal.error.lines(lines.map(scrubber.text))
    }
    if options.explain {
      var explanation = Explanation(exchanges: waterfall.exchanges)
      (explanation.cache, explanation.retryRefusal) = (cache, refusal)
      explanation.hadCredentials = hadCredentials
      explanation.options = try options.explanationOptions()
      try Terminal.error.lines(explanation.sentences.map(scrubber.text))
    }
    if let path = options.traceSvg {
      try OutputTarget.write(Array(waterfall.svg(hiding: scrubber.text).utf8), to: path)
    }
    if disk != nil, !options.explain, let note = CacheNote.text(cache, hadCredentials: hadCredentials) {
      Terminal.note(note)
    }
    if let recorder, let archivePath = options.har {
      try OutputTarget.write(scrubber.json(recorder.archive()), to: archivePath)
    }
  }
}

/// Ends a chain without sending anything, and notes the request.
private final class CapturingDispatcher: Dispatcher {
  private let captured = Mutex<Request?>(nil)

  var request: Request? { captured.withLock { $0 } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    captured.withLock { $0 = request }
    return Response(status: 200)
  }
}

/// The fault of a cookie file while it is read, and messages about later ones.
private final class CookieFaults: Sendable {
  private let state = Mutex<(first: CookieFileError?, isOpen: Bool)>((nil, false))

  func receive(_ error: CookieFileError) {
    let isOpen = state.withLock { state in
      state.first = state.first ?? error
      return state.isOpen
    }
    if isOpen { Terminal.note(Printable.text("\(error)")) }
  }

  /// Returns the fault so far, after which the others are printed.
  func whileOpening() -> CookieFileError? {
    state.withLock { state in
      state.isOpen = true
      return state.first
    }
  }
}

/// A store on disk that notes whether it took a response.
///
/// The cache reports how it used a streamed response before it is read, and so before it is stored.
private final class NotingStore: ResponseStore {
  private let disk: SQLiteResponseStore
  private let hasStored = Atomic(false)

  init(directory: String) {
    disk = SQLiteResponseStore(directory: directory) { Terminal.note(Printable.text("\($0)")) }
  }

  var maximumResponseBytes: Int { disk.maximumResponseBytes }

  func close() async { await disk.close() }

  /// Returns what the cache reported, corrected by what was stored since.
  func status(after status: Exchange.CacheStatus?) -> Exchange.CacheStatus? {
    guard case .forwarded(let reason, false, let collapsed)? = status, hasStored.load(ordering: .acquiring)
    else { return status }
    return .forwarded(reason, stored: true, collapsed: collapsed)
  }

  func response(for key: CacheKey, requestFields: HTTPFields) async -> StoredResponse? {
    await disk.response(for: key, requestFields: requestFields)
  }

  func lookup(_ key: CacheKey, requestFields: HTTPFields) async -> StoreLookup {
    await disk.lookup(key, requestFields: requestFields)
  }

  func store(_ response: StoredResponse, requestFields: HTTPFields, at now: CacheInstant) async -> Bool {
    let isStored = await disk.store(response, requestFields: requestFields, at: now)
    if isStored { hasStored.store(true, ordering: .releasing) }
    return isStored
  }

  func remove(_ selection: CacheSelection) async -> Int { await disk.remove(selection) }
}
