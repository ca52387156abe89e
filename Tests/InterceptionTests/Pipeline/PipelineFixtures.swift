import HTTPTypes
import Interception
import Synchronization

extension Request {
  static var example: Request { Request(authority: "estate.example", path: "/v1/houses?page=1") }
}

/// An error from outside the library.
struct Refusal: Error, Equatable {
  let why: String
}

enum Stamps: ContextKey {
  static let defaultValue = 0
}

/// Records lines from several tasks, in order.
final class Journal: Sendable {
  private let noted = Mutex<[String]>([])
  var lines: [String] { noted.withLock { $0 } }
  func note(_ line: String) { noted.withLock { $0.append(line) } }
}

/// Retries after every 503.
struct Persisting: Interceptor {
  let attempts: Int
  let traits = InterceptorTraits(stage: .retry, callsNext: .anyNumber)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    for attempt in 1..<attempts {
      let response = try await next.dispatch(attempt == 1 ? request : request.asAttempt(attempt))
      if response.status != .serviceUnavailable { return response }
    }
    return try await next.dispatch(request.asAttempt(attempts))
  }
}

/// An interceptor that does nothing, with configurable traits.
struct Standing: Interceptor {
  let name: String
  let traits: InterceptorTraits

  init(_ name: String, _ stage: Stage) {
    self.init(name, InterceptorTraits(stage: stage, allowsSeveral: true))
  }

  init(_ name: String, _ traits: InterceptorTraits) {
    self.name = name
    self.traits = traits
  }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}

/// An interceptor whose initializer throws if its configuration is invalid.
struct Checked: Interceptor {
  struct Fault: Error, Equatable {}

  let traits: InterceptorTraits

  init(stage: Stage = .signing) { traits = InterceptorTraits(stage: stage, allowsSeveral: true) }

  init(isValid: Bool) throws(Fault) {
    guard isValid else { throw Fault() }
    self.init()
  }

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    try await next.dispatch(request)
  }
}
