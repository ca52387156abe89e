import HTTPTypes
import Interception
import RequestLogging
import Synchronization

/// The calls that wait for the page's user, each until it is continued, its pause is over, or it ends.
final class PausedCalls: InterventionEditor {
  /// A call that waits.
  struct Paused: Sendable {
    let number: Int
    let rule: String
    let since: WallTime
    /// The request, and its response if that is paused.
    let request: Request
    let response: Response?
  }

  /// How a call continues.
  enum Decision: Sendable {
    case proceed
    case send(Request)
    case answer(Response)
    case fail
  }

  private struct Entry {
    let paused: Paused
    let continuation: CheckedContinuation<Decision, Never>
  }

  private struct State {
    var lastNumber = 0
    var entries: [Int: Entry] = [:]
    /// The pauses that were cancelled before they began.
    var cancelled: Set<Int> = []
    var isServed = false
  }

  private let state = Mutex(State())
  private let time: TimeSource
  private let noteChange: @Sendable () -> Void

  init(time: TimeSource, noteChange: @escaping @Sendable () -> Void) {
    (self.time, self.noteChange) = (time, noteChange)
  }

  /// The calls that wait, the oldest first.
  var list: [Paused] {
    state.withLock { $0.entries.values.map(\.paused) }.sorted { $0.number < $1.number }
  }

  func edit(_ request: Request, pausedBy rule: String) async throws -> InterventionEdit {
    switch await decision(on: request, nil, rule) {
    case .proceed: return .send(request)
    case .send(let edited): return .send(edited)
    case .answer(let response): return .answer(response)
    case .fail: throw Self.failure(wasSent: false)
    }
  }

  func edit(_ response: Response, to request: Request, pausedBy rule: String) async throws -> Response {
    switch await decision(on: request, response, rule) {
    case .proceed, .send: return response
    case .answer(let edited): return edited
    case .fail: throw Self.failure(wasSent: true)
    }
  }

  private static func failure(wasSent: Bool) -> NetworkError {
    NetworkError(
      .transport, "The call was failed in the inspector while it was paused.",
      requestMayHaveBeenProcessed: wasSent)
  }

  private func decision(on request: Request, _ response: Response?, _ rule: String) async -> Decision {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let paused = Paused(
      number: number, rule: rule, since: time.wallTime(), request: request, response: response)
    let decision = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { state in
          // Without a page there is no user who could continue it.
          guard state.cancelled.remove(number) == nil, state.isServed else { return false }
          state.entries[number] = Entry(paused: paused, continuation: continuation)
          return true
        }
        if isWaiting { noteChange() } else { continuation.resume(returning: .proceed) }
      }
    } onCancel: {
      resume(number, with: .proceed, isCancelled: true)
    }
    // Cancelled after it had been resumed.
    state.withLock { _ = $0.cancelled.remove(number) }
    return decision
  }

  /// Returns a call that waits.
  func paused(_ number: Int) -> Paused? { state.withLock { $0.entries[number]?.paused } }

  /// Continues a call, and returns whether it waited.
  @discardableResult
  func resume(_ number: Int, with decision: Decision, isCancelled: Bool = false) -> Bool {
    let entry = state.withLock { state in
      let entry = state.entries.removeValue(forKey: number)
      if entry == nil, isCancelled { state.cancelled.insert(number) }
      return entry
    }
    guard let entry else { return false }
    entry.continuation.resume(returning: decision)
    noteChange()
    return true
  }

  /// Notes whether there is a page; without one all calls continue unaltered.
  func serve(_ isServed: Bool) {
    let waiting = state.withLock { state -> [Entry] in
      state.isServed = isServed
      guard !isServed else { return [] }
      defer { state.entries = [:] }
      return Array(state.entries.values)
    }
    for entry in waiting { entry.continuation.resume(returning: .proceed) }
  }
}
