import Foundation
import HTTPTypes
import Interception
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request of foreign code on its way through a chain, and what of its response is to be handed over.
final class ForeignLoad: Sendable {
  /// A call of a protocol's client.
  enum Event: Sendable {
    case response(HTTPURLResponse)
    case data(Data)
    case redirect(URLRequest, HTTPURLResponse)
    case finished
    case failed(any Error)

    var isLast: Bool {
      switch self {
      case .finished, .failed: true
      case .response, .data, .redirect: false
      }
    }
  }

  /// How the protocol is made to take the events.
  enum Waker: Sendable {
    /// It takes them during the call.
    case direct(@Sendable () -> Void)
    /// It takes them later, on a queue of the URL loading system.
    case byRestart(@Sendable () -> Void)
  }

  private struct State {
    var events = ForeignEvents<Event>()
    var hasBegun = false
    var work: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let chosenBehavior = Mutex(ForeignBehavior.current)

  /// The behavior of the URL loading system; tests set that of another one, before the load begins.
  var behavior: ForeignBehavior {
    get { chosenBehavior.withLock { $0 } }
    set { chosenBehavior.withLock { $0 = newValue } }
  }

  /// Begins the load; false if it has begun before.
  func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// Sends a request through a chain.
  func start(_ request: URLRequest, over dispatcher: any Dispatcher, waking waker: Waker) {
    let work = Task { await run(request, over: dispatcher, waking: waker) }
    let isOver = state.withLock { state in
      if !state.events.isOver { state.work = work }
      return state.events.isOver
    }
    if isOver { work.cancel() }
  }

  /// Ends the load without a request.
  func fail(with error: NetworkError, waking waker: Waker) {
    // Not within the protocol's start, which the URL loading system has yet to leave.
    let work = Task { add(.failed(URLError(error)), waking: waker) }
    state.withLock { $0.work = work }
  }

  /// Cancels the request; no further event is handed over.
  ///
  /// A client can be in the call for one event on another thread. Waiting for that could deadlock, because
  /// the client may itself wait for the thread that stops the load.
  func stop() {
    let work = state.withLock { state in
      state.events.stop()
      defer { state.work = nil }
      return state.work
    }
    work?.cancel()
  }

  /// Takes the next event, if it can be handed over now.
  func next() -> Event? { state.withLock { $0.events.next { $0.isLast } } }

  private func add(_ event: Event, waking waker: Waker) {
    guard state.withLock({ $0.events.add(event) }) else { return }
    switch waker {
    case .direct(let deliver): deliver()
    case .byRestart(let restart):
      repeat {
        state.withLock { $0.events.beginWaking() }
        restart()
      } while state.withLock({ $0.events.endWaking() })
    }
  }

  private func run(_ original: URLRequest, over dispatcher: any Dispatcher, waking waker: Waker) async {
    let behavior = behavior
    do throws(NetworkError) {
      let request = try await ForeignRequest(original).request()
      let response = try await dispatcher.dispatch(request)
      let head = try ForeignResponse(response, to: original, behavior)
      if behavior.tellsRedirects,
        let redirected = ForeignRequest(original).redirected(by: response.head, resending: request.body)
      {
        add(.redirect(redirected, head.response), waking: waker)
        // The system loads the redirected request by another protocol, and expects this one to end so.
        return add(.failed(CocoaError(.userCancelled)), waking: waker)
      }
      add(.response(head.response), waking: waker)
      if behavior.keepsAllParts, case .stream(let stream) = response.body {
        let source = try stream.claim()
        while let part = try await source.read() { add(.data(Data(part)), waking: waker) }
      } else {
        let content = try await response.body.collect(upTo: Self.maximumLength)
        if !content.isEmpty { add(.data(Data(content)), waking: waker) }
      }
      add(.finished, waking: waker)
    } catch {
      add(.failed(URLError(error, url: original.url)), waking: waker)
    }
  }

  /// The maximum length of a body that is collected, in bytes.
  static let maximumLength = 64 << 20
}

/// The events of a load in order; a value without I/O.
///
/// A protocol that takes the last event is released by the URL loading system, and must not be woken again:
/// on Linux Foundation then reports an unsupported URL, or ends the process. So the last event stays until
/// no waking is in progress.
struct ForeignEvents<Event> {
  private var events: [Event] = []
  private var isWaking = false
  /// Whether the last event was left during a waking.
  private var hasLeftLast = false
  /// Whether nothing more is handed over.
  private(set) var isOver = false

  /// Adds an event; false if nothing more is handed over.
  mutating func add(_ event: Event) -> Bool {
    guard !isOver else { return false }
    events.append(event)
    return true
  }

  /// Marks the beginning of a waking.
  mutating func beginWaking() { isWaking = true }

  /// Marks the end of a waking; true if another one is necessary.
  mutating func endWaking() -> Bool {
    isWaking = false
    defer { hasLeftLast = false }
    guard hasLeftLast, !isOver else { return false }
    isWaking = true
    return true
  }

  /// Takes the next event, if it can be handed over now; a single one, since the load may be stopped between
  /// two.
  mutating func next(_ isLast: (Event) -> Bool) -> Event? {
    guard !isOver, let event = events.first else { return nil }
    if isLast(event) {
      guard !isWaking else {
        hasLeftLast = true
        return nil
      }
      isOver = true
    }
    events.removeFirst()
    return event
  }

  /// Drops the events; no others are added.
  mutating func stop() {
    events = []
    isOver = true
  }
}

/// The behavior of this platform's URL loading system toward protocols, to which the load adapts.
struct ForeignBehavior: Sendable {
  /// Whether a client can be told of a redirect; otherwise that ends the process.
  var tellsRedirects: Bool
  /// Whether a client keeps all parts of a body for a completion handler; otherwise only the last one.
  var keepsAllParts: Bool
  /// Whether it answers a 401 with `WWW-Authenticate` by itself, without the protocol.
  var answersChallenges: Bool
  /// Whether it stops a protocol whose task is suspended, and starts it again when the task is resumed.
  var stopsWhenSuspended: Bool
  /// Whether a protocol is given the body of an upload, and its client writes the file of a download.
  var passesFiles: Bool

  #if canImport(Darwin)
  /// The behavior of Apple's platforms.
  static let current = ForeignBehavior(
    tellsRedirects: true, keepsAllParts: true, answersChallenges: false, stopsWhenSuspended: false,
    passesFiles: true)
  #else
  /// The behavior of swift-corelibs-foundation, read in the sources of Swift 6.3.
  static let current = ForeignBehavior(
    tellsRedirects: false, keepsAllParts: false, answersChallenges: true, stopsWhenSuspended: true,
    passesFiles: false)
  #endif

  /// Returns why a task cannot be loaded; nil if it can.
  func refusal(of task: URLSessionTask?) -> NetworkError? {
    guard !passesFiles else { return nil }
    if task is URLSessionDownloadTask {
      return NetworkError(
        .unsupported,
        "Foundation gives a protocol no file for a download on Linux; use a data task, or a FileDownload.")
    }
    if task is URLSessionUploadTask {
      return NetworkError(
        .unsupported,
        "Foundation gives a protocol no body of an upload on Linux; use a data task with httpBody.")
    }
    return nil
  }
}
