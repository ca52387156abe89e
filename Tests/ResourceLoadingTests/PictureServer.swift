import HTTPTypes
import Interception
import ResourceLoading
import SwitchyardTesting

/// Answers each path with a picture of its name, once its gate is open.
final class PictureServer: Dispatcher {
  typealias Answer = @Sendable (Picture) throws(NetworkError) -> Response

  private let gate = WaitableValue(true)
  private let running = WaitableValue((now: 0, highest: 0))
  private let answer: Answer
  private let received = WaitableValue<[Request]>([])

  init(_ answer: @escaping Answer = PictureServer.answer) { self.answer = answer }

  /// Answers with a picture that may be cached.
  static let answer: Answer = { picture throws(NetworkError) in
    Response(status: .ok, headerFields: [.cacheControl: "max-age=3600"], bytes: picture.bytes)
  }

  /// The requests so far, in order.
  var requests: [Request] { received.value }
  /// The paths of the requests so far, in order.
  var paths: [String] { requests.map { $0.head.path ?? "" } }
  /// The maximum number of requests at the same time.
  var highest: Int { running.value.highest }
  /// The number of requests that wait or are being answered.
  var runningCount: Int { running.value.now }

  /// Lets requests wait from now on.
  func close() { gate.update { $0 = false } }

  /// Answers those that wait, and later ones at once.
  func open() { gate.update { $0 = true } }

  func waitForRequests(_ count: Int) async throws { try await received.wait { $0.count >= count } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    running.update { running in
      running.now += 1
      running.highest = max(running.highest, running.now)
    }
    received.update { $0.append(request) }
    defer { running.update { $0.now -= 1 } }
    if !gate.value {
      do {
        try await gate.wait { $0 }
      } catch is CancellationError {
        throw NetworkError(.cancelled(.task), "The request was cancelled.")
      } catch {
        throw NetworkError(.transport, "\(error)")
      }
    }
    let path = request.head.path ?? ""
    return try answer(Picture(name: String(path.dropFirst()), width: 40, height: 20))
  }

  /// Returns the request for a picture.
  static func request(_ name: some CustomStringConvertible) -> Request {
    Request(authority: "photos.example", path: "/\(name)")
  }
}
