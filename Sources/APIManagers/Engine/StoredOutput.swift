import Interception
import Synchronization

/// The output of a response that a cache has been allowed to store, so that its content is decoded once.
final class StoredOutput<A: API>: Sendable {
  private let state = Mutex<(bytes: [UInt8], output: A.Output)?>(nil)
  private let api: A

  init(_ api: A) { self.api = api }

  /// Returns whether the caller would receive a response as a success.
  func permits(_ response: APIResponse) -> Bool {
    guard api.rejection(of: response, by: A.endpoint.details) == nil,
      let output = try? api.output(from: response)
    else { return false }
    // A raw response is its own output; its exchange is not known yet.
    if A.Output.self != APIResponse.self { state.withLock { $0 = (response.bytes, output) } }
    return true
  }

  /// Removes and returns the output of a response with the given content, if it has been read.
  func take(_ bytes: [UInt8]) -> A.Output? {
    let stored = state.withLock { state in
      defer { state = nil }
      return state
    }
    return stored.flatMap { $0.bytes == bytes ? $0.output : nil }
  }
}
