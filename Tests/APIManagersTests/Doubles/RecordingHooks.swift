import APIManagers
import Interception

/// Hooks that record every call in a diary, and veto at the given ones.
@MainActor final class RecordingHooks: APIHooks {
  /// A record shared by several hooks and a delegate.
  @MainActor final class Diary {
    var lines: [String] = []
  }

  nonisolated let name: String
  let diary: Diary
  private let refused: Set<String>
  private var seen: Set<String> = []
  private var watchers: [(point: String, continuation: CheckedContinuation<Void, Never>)] = []

  init(_ name: String = "RecordingHooks", diary: Diary? = nil, refusing refused: Set<String> = []) {
    self.name = name
    self.diary = diary ?? Diary()
    self.refused = refused
  }

  func wait(for point: String) async {
    guard !seen.contains(point) else { return }
    await withCheckedContinuation { watchers.append((point, $0)) }
  }

  func shouldLoad(_ call: APICall) -> Bool { note("shouldLoad") }
  func didSend(_ call: APICall) { note("didSend") }
  func didReceive(_ result: Result<APIResponse, APIError>, of manager: any APIManaging) { note("didReceive") }
  func beforeSuccess(_ response: APIResponse, of manager: any APIManaging) -> Bool { note("beforeSuccess") }
  func afterSuccess(_ response: APIResponse, of manager: any APIManaging) { note("afterSuccess") }
  func beforeFailure(_ failure: APIError, of manager: any APIManaging) -> Bool { note("beforeFailure") }
  func afterFailure(_ failure: APIError, of manager: any APIManaging) { note("afterFailure") }
  func didWithhold(
    _ result: Result<APIResponse, APIError>, vetoedBy name: String, of manager: any APIManaging
  ) {
    note("didWithhold by \(name)")
  }
  func didRelease(_ manager: ManagerIdentity, cancelling requests: [RequestID]) {
    note("didRelease \(manager) \(requests.count)")
  }

  @discardableResult private func note(_ point: String) -> Bool {
    diary.lines.append("\(name) \(point)")
    seen.insert(point)
    let satisfied = watchers.filter { $0.point == point }
    watchers.removeAll { $0.point == point }
    for watcher in satisfied { watcher.continuation.resume() }
    return !refused.contains(point)
  }
}
