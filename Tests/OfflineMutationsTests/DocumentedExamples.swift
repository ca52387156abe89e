#if SQLite
import HTTPTypes
import Interception
import OfflineMutations

/// The examples of the documentation, which `DocumentationTests` compares with these.
///
/// They are compiled only, because of their paths.
private enum DocumentedExamples {
  struct Account: Sendable {
    let id: String
  }

  static func overview(_ pipeline: Pipeline, _ account: Account) async throws {
    let queue = try MutationQueue(path: "/var/lib/estate/mutations.sqlite", over: pipeline) { account.id }
    queue.start()
    var request = Request(method: .put, authority: "api.example.com", path: "/favorites/42")
    request.context.partition = account.id
    try await queue.enqueue(request, resource: "favorites/42")
    for await change in queue.changes {
      if case .rejected(let rejected) = change { print("\(rejected.mutation.resource): \(rejected.reason)") }
    }
  }

  @MainActor func badge(of queue: MutationQueue) -> String {
    let state = queue.state
    guard state.pendingCount > 0 else { return "" }
    return "\(state.pendingCount) waiting" + (state.failure.map { ": \($0)" } ?? "")
  }
}
#endif
