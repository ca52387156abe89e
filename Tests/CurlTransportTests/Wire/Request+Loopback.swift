import HTTPTypes
import Interception
import LoopbackServing

extension Request {
  /// A GET in the clear.
  static func get(_ server: ScriptedServer, _ path: String = "/") -> Request {
    Request(scheme: "http", authority: server.authority, path: path)
  }

  /// The request with other options.
  func with(_ change: (inout Request) -> Void) -> Request {
    var copy = self
    change(&copy)
    return copy
  }
}

/// Runs an operation that is expected to fail, and returns its error.
func failure<Success>(
  of operation: () async throws(NetworkError) -> Success
) async -> NetworkError? {
  do throws(NetworkError) {
    _ = try await operation()
    return nil
  } catch {
    return error
  }
}
