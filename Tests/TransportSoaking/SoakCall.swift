import CurlTransport
import HTTPTypes
import Interception
import LoopbackServing

/// One request of a soak, and the check of its outcome.
struct SoakCall: Sendable {
  /// The outcome of a call.
  enum Outcome: Sendable {
    /// The complete response, and the version of HTTP that carried it.
    case whole(status: Int, body: [UInt8], version: TransportReport.HTTPVersion?)
    /// A stream that was released before its end.
    case letGo
    case failed(NetworkError)
  }

  let plan: SoakPlan
  let dispatcher: CurlDispatcher
  let authority: String
  let living: SoakSource.Living
  let streams: WeakStreams

  /// Sends the request, and cancels it if the plan says so.
  func run() async -> Outcome {
    guard let turns = plan.cancelsAfter else { return await perform() }
    let task = Task { await perform() }
    for _ in 0..<turns { await Task.yield() }
    task.cancel()
    return await task.value
  }

  private func perform() async -> Outcome {
    do throws(NetworkError) {
      let response = try await dispatcher.dispatch(request)
      if case .stream(let stream) = response.body { streams.append(stream) }
      return try await read(response)
    } catch {
      return .failed(error)
    }
  }

  private func read(_ response: Response) async throws(NetworkError) -> Outcome {
    let version = response.exchange.transport?.version
    guard case .stream(let stream) = response.body, plan.reading != .streamed else {
      let body = try await response.body.collect(upTo: 1 << 20)
      return .whole(status: response.status.code, body: body, version: version)
    }
    guard plan.reading != .unread else { return .letGo }
    let source = try stream.claim()
    var body: [UInt8] = []
    while let chunk = try await source.read() {
      body += chunk
      guard plan.reading != .dropped else { return .letGo }
      for _ in 0..<50 { await Task.yield() }
    }
    return .whole(status: response.status.code, body: body, version: version)
  }

  private var request: Request {
    var request = Request(
      scheme: plan.server == .scripted ? "http" : "https", authority: authority, path: path)
    switch plan.deed {
    case .uploadBytes, .uploadRefused:
      request.head.method = .put
      request.body = .bytes(SoakPattern.bytes(plan.size))
    case .uploadStream:
      request.head.method = .put
      let hasLength = plan.size % 2 == 0
      request.body = .once(
        length: hasLength ? Int64(plan.size) : nil, SoakSource(SoakPattern.bytes(plan.size), living: living))
    case .uploadBroken:
      request.head.method = .put
      let source = SoakSource(SoakPattern.bytes(plan.size), breaksAt: plan.size / 2, living: living)
      request.body = .once(length: nil, source)
    default: break
    }
    // Long enough for a busy machine and sanitizers: it must never end a request without a fault.
    request.options.timeouts = .init(
      connect: .seconds(60), whole: plan.deed == .silence ? .milliseconds(30) : .seconds(120))
    request.options.delivery = plan.reading == .buffered ? .buffered(upTo: 1 << 20) : .streamed
    request.options.priority = plan.number % 3 == 0 ? .high : .normal
    return request
  }

  private var path: String {
    guard plan.server == .nginx else {
      return "/\(plan.deed)/\(plan.deed == .small ? plan.number : plan.size)"
    }
    return switch plan.deed {
    case .small: "/echo?\(plan.number)"
    case .large: "/large"
    case .uploadRefused: "/refused"
    default: "/store/\(plan.number % 64)"
    }
  }
}
