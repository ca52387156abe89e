import HTTPTypes
import Interception
import SwitchyardTesting

@testable import RequestMerging

/// A pipeline with merging, over a server with a batch form, and a clock that the test advances.
struct MergingFixture {
  static let api = APIIdentity(service: "estate", name: "prices.one")

  /// An error of a rule's closures.
  struct RuleFailure: Error {}

  let clock = TestClock()
  let server: ScriptedDispatcher
  let merging: MergingInterceptor
  let pipeline: Pipeline

  /// Creates a fixture.
  ///
  /// - Parameters:
  ///   - change: Changes the rule.
  ///   - respond: Returns the response to a request; by default the paths or IDs that were requested.
  init(
    _ change: (inout MergeRule) -> Void = { _ in },
    respond: @escaping ScriptedDispatcher.Script = { request, _ throws(NetworkError) in respond(request) }
  ) throws {
    server = ScriptedDispatcher(respond)
    var rule = Self.rule
    change(&rule)
    let clock = clock
    merging = MergingInterceptor(rule, time: TimeSource(clock))
    let merging = merging
    pipeline = try Pipeline(over: server) { merging }
  }

  /// A rule for paths such as "/prices/7".
  ///
  /// A batch is "/prices?ids=7,8", and its response has a line for each, such as "7=price of 7". The ID "x"
  /// can't be combined, and the response "broken" can't be split.
  static let rule = MergeRule(of: api) { request in
    guard let path = request.head.path, path.hasPrefix("/prices/") else { return nil }
    return String(path.dropFirst(8))
  } combine: { items in
    guard !items.contains(where: { $0.id == "x" }) else { throw RuleFailure() }
    var batch = items[0].request
    batch.head.path = "/prices?ids=" + items.map(\.id).joined(separator: ",")
    return batch
  } split: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard text != "broken" else { throw RuleFailure() }
    var responses: [String: Response] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      responses[String(parts[0])] = Response(status: .ok, bytes: Array(parts[1].utf8))
    }
    return responses
  }

  /// Responds to a single request or a batch, over the given version.
  static func respond(
    _ request: Request, version: TransportReport.HTTPVersion = .http1
  ) -> Response {
    let path = request.head.path ?? ""
    let text =
      path.hasPrefix("/prices?ids=")
      ? path.dropFirst(12).split(separator: ",").map { "\($0)=price of \($0)" }.joined(separator: "\n")
      : "price of \(path.dropFirst(8))"
    return Response(
      HTTPResponse(status: .ok), body: .bytes(Array(text.utf8)),
      exchange: Exchange(attempts: 1, transport: TransportReport(version: version)))
  }

  static func request(_ id: String, _ change: (inout Request) -> Void = { _ in }) -> Request {
    var request = Request(authority: "estate.example", path: "/prices/\(id)")
    request.context.api = api
    change(&request)
    return request
  }

  func send(
    _ request: Request, priority: TaskPriority? = nil
  ) -> Task<Result<Response, NetworkError>, Never> {
    Task(priority: priority) { [pipeline] in
      do throws(NetworkError) {
        return .success(try await pipeline.send(request))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Sends requests one after another, and returns when all of them wait.
  func sendAll(
    _ requests: [Request]
  ) async throws -> [Task<Result<Response, NetworkError>, Never>] {
    var tasks: [Task<Result<Response, NetworkError>, Never>] = []
    let before = merging.registry.waitingCount
    for request in requests {
      tasks.append(send(request))
      try await waitUntil("the request waits in a batch") {
        merging.registry.waitingCount >= before + tasks.count
      }
    }
    return tasks
  }

  /// Ends the window of the batches that wait.
  func endWindow(_ batches: Int = 1) async throws {
    try await clock.waitForSleepers(batches)
    clock.advance(by: .milliseconds(10))
  }

  /// The paths that the server received, in order.
  var paths: [String] { server.requests.map { $0.head.path ?? "" } }
}

private func respond(_ request: Request) -> Response { MergingFixture.respond(request) }

extension Result where Success == Response, Failure == NetworkError {
  /// The text of the response's body, or nil for a failure.
  var text: String? {
    guard case .success(let response) = self, case .bytes(let bytes) = response.body else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  var failure: NetworkError? { if case .failure(let error) = self { error } else { nil } }

  var exchange: Exchange? { if case .success(let response) = self { response.exchange } else { nil } }
}
