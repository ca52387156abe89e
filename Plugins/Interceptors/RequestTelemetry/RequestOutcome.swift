import HTTPTypes
import Interception
import Tracing

/// How a request or a call ended, as labels from bounded sets.
enum RequestOutcome: Sendable {
  case answered(HTTPResponse.Status)
  case failed(NetworkError)

  /// Whether the status is a 2xx, which is no error.
  var isSuccess: Bool {
    guard case .answered(let status) = self else { return false }
    return (200..<300).contains(status.code)
  }

  /// The class of the status, such as `2xx`, or `none` without a response.
  var statusClass: String {
    guard case .answered(let status) = self else { return "none" }
    return switch status.code {
    case 100..<200: "1xx"
    case 200..<300: "2xx"
    case 300..<400: "3xx"
    case 400..<500: "4xx"
    case 500..<600: "5xx"
    default: "other"
    }
  }

  /// The attribute `error.type`: the code of a 4xx or 5xx status, or the label of an error; nil if the
  /// request succeeded.
  var errorType: String? {
    switch self {
    case .answered(let status): (400..<600).contains(status.code) ? String(status.code) : nil
    case .failed(let error): error.label
    }
  }

  /// The status of a client span; nil to leave it unset, as for a request that its caller cancelled.
  var spanStatus: SpanStatus? {
    switch self {
    case .answered: errorType.map { SpanStatus(code: .error, message: $0) }
    case .failed(let error):
      if case .cancelled(.task) = error.kind { nil } else { SpanStatus(code: .error, message: error.label) }
    }
  }
}

/// Where the result of a call came from.
enum ResponseSource: String, Sendable {
  /// The server, by at least one request of this call.
  case network
  /// A cache, possibly after revalidation.
  case cache
  /// Neither: another call's request, an interceptor, or a refusal before anything was sent.
  case none

  init(cache: Exchange.CacheStatus?, wasSent: Bool) {
    self = cache?.isHit == true ? .cache : wasSent ? .network : .none
  }
}
