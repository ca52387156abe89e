import HTTPTypes
import Interception
import LoopbackServing

extension Request {
  /// Returns a GET without TLS, modified by a closure.
  static func get(
    _ server: ScriptedServer, _ path: String = "/", _ change: (inout Request) -> Void = { _ in }
  ) -> Request {
    var request = Request(scheme: "http", authority: server.authority, path: path)
    change(&request)
    return request
  }

  /// Returns a POST without TLS, modified by a closure.
  static func post(
    _ server: ScriptedServer, _ path: String = "/", body: RequestBody,
    _ change: (inout Request) -> Void = { _ in }
  ) -> Request {
    var request = Request(
      method: .post, scheme: "http", authority: server.authority, path: path, body: body)
    change(&request)
    return request
  }
}

extension Dispatcher {
  /// Returns the error of a request that must fail.
  func failure(of request: Request) async -> NetworkError? {
    do throws(NetworkError) {
      _ = try await dispatch(request).body.collect(upTo: .max)
      return nil
    } catch {
      return error
    }
  }

  /// Returns the content of the response as text.
  func text(of request: Request) async throws(NetworkError) -> String {
    String(decoding: try await dispatch(request).body.collect(upTo: 1 << 20), as: UTF8.self)
  }
}
