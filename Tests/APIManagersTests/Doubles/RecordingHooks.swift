import APIManagers
import Interception
import SwitchyardTesting

/// Hooks that record every call in a diary, and veto at the given ones.
@MainActor final class RecordingHooks: APIHooks {
  /// A record shared by several hooks and a delegate.
  @MainActor final class Diary {
    var lines: [String] = []
  }

  nonisolated let name: String
  let diary: Diary
  private let refused: Set<String>
  private let seen = WaitableValue<[String: Int]>([:])

  init(_ name: String = "RecordingHooks", diary: Diary? = nil, refusing refused: Set<String> = []) {
    self.name = name
    self.diary = diary ?? Diary()
    self.refused = refused
  }

  /// Returns when a point has been called at least `count` times.
  func wait(for point: String, count: Int = 1, fileID: String = #fileID, line: Int = #line) async throws {
    try await seen.wait(fileID: fileID, line: line) { $0[point, default: 0] >= count }
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
    seen.update { $0[point, default: 0] += 1 }
    return !refused.contains(point)
  }
}
