import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Hummingbird's router with the same routes, called as by a server.
///
/// Its tree is not public, so whole requests are measured, less requests of the same length whose path is a
/// single capture: the difference is the time spent in the tree, except for one step that both have in
/// common.
struct HummingbirdPeer: Sendable {
  struct LoggerSource: RequestContextSource {
    let logger: Logger
  }

  struct Context: RequestContext {
    typealias Source = LoggerSource

    var coreContext: CoreRequestContextStorage

    init(source: LoggerSource) { coreContext = .init(source: source) }
  }

  private let routes: RouterResponder<Context>
  private let requests: [Request]
  private let single: RouterResponder<Context>
  private let singleRequests: [Request]
  private let context = Context(
    source: LoggerSource(logger: Logger(label: "peer") { _ in SwiftLogNoOpLogHandler() }))

  /// Builds both routers.
  ///
  /// - Parameters:
  ///   - paths: The segments of each route; captures start with a colon.
  ///   - requests: A path for each route.
  init(_ paths: [[String]], requests: [String]) {
    let router = Router(context: Context.self)
    for (number, path) in paths.enumerated() {
      let response = Self.response(number)
      router.get(RouterPath("/" + path.joined(separator: "/"))) { _, _ in response }
    }
    routes = router.buildResponder()
    let other = Router(context: Context.self)
    let response = Self.response(0)
    other.get("/:all") { _, _ in response }
    single = other.buildResponder()
    self.requests = requests.map(Self.request)
    singleRequests = requests.map { Self.request("/" + String(repeating: "a", count: $0.utf8.count - 1)) }
  }

  /// Returns the first request that doesn't reach its route.
  func wrongAnswer() async -> Int? {
    for (number, request) in requests.enumerated() {
      let response = try? await routes.respond(to: request, context: context)
      if response?.headers[.server] != "\(number)" { return number }
    }
    for (number, request) in singleRequests.enumerated() {
      let response = try? await single.respond(to: request, context: context)
      if response?.headers[.server] != "0" { return number }
    }
    return nil
  }

  /// Handles each request once.
  @concurrent func answer() async {
    for request in requests { Stopwatch.keep(try? await routes.respond(to: request, context: context)) }
  }

  /// Handles the same number of equally long requests without using the tree.
  @concurrent func answerWithoutTree() async {
    for request in singleRequests { Stopwatch.keep(try? await single.respond(to: request, context: context)) }
  }

  private static func response(_ number: Int) -> Response {
    Response(status: .ok, headers: [.server: "\(number)"])
  }

  private static func request(_ path: String) -> Request {
    Request(
      head: HTTPRequest(method: .get, scheme: "http", authority: "peer.example", path: path),
      body: RequestBody(buffer: ByteBuffer()))
  }
}
