import Foundation
import HTTPServing
import HTTPTypes
import Synchronization

/// The requests being answered, which are cancelled if their client leaves or the server stops.
final class InFlightRequests: Sendable {
  private struct State {
    var tasks: [String: Task<ServerResponse, Never>] = [:]
    var isStopping = false
  }

  private let state = Mutex(State())

  /// Runs `respond` in a task that can be cancelled by the request's name.
  func respond(
    to request: ReceivedRequest, _ respond: @escaping @Sendable (ReceivedRequest) async -> ServerResponse
  ) async -> ServerResponse {
    let id = Self.id(of: request)
    let task = Task { await respond(request) }
    let isStopping = state.withLock { state in
      state.tasks[id] = task
      return state.isStopping
    }
    if isStopping { task.cancel() }
    defer { state.withLock { $0.tasks[id] = nil } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels a request whose client left.
  func cancel(_ id: String) { state.withLock { $0.tasks[id] }?.cancel() }

  /// Cancels all requests, also those that come from now on.
  func cancelAll() {
    let tasks = state.withLock { state in
      state.isStopping = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
  }

  private static func id(of request: ReceivedRequest) -> String {
    request.head.headerFields.first { $0.name.rawName == NginxConfiguration.requestID }?.value
      ?? UUID().uuidString
  }
}
