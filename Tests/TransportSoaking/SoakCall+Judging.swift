import HTTPTypes
import Interception

extension SoakCall {
  /// What is wrong with an outcome; nil if the plan allows it.
  func fault(of outcome: Outcome) -> String? {
    let isRight =
      switch outcome {
      case .whole(let status, let body): allows(status: status, body: body)
      case .letGo: plan.reading == .dropped || plan.reading == .unread
      case .failed(let error): allows(error)
      }
    guard !isRight else { return nil }
    let protocolName = plan.isHTTP2 ? "HTTP/2" : "HTTP/1.1"
    return
      "request \(plan.number) (\(protocolName), \(plan.deed), \(plan.reading), cancelled after "
      + "\(plan.cancelsAfter.map(String.init) ?? "never")) ended with \(Self.words(outcome))"
  }

  private func allows(status: Int, body: [UInt8]) -> Bool {
    switch plan.deed {
    case .small:
      let text = String(decoding: body, as: UTF8.self)
      return status == 200
        && (plan.isHTTP2 ? text.contains("/echo?\(plan.number)\n") : text == "\(plan.number)")
    case .large:
      return status == 200 && body.count == (plan.isHTTP2 ? Soak.largeSize : plan.size)
        && SoakPattern.matches(body, at: 0)
    case .chunked: return status == 200 && body.count == plan.size && SoakPattern.matches(body, at: 0)
    case .uploadBytes, .uploadStream:
      if plan.isHTTP2 { return status == 201 || status == 204 }
      return status == 200 && body == Array("\(plan.size)".utf8)
    case .uploadRefused: return status == 413
    case .uploadBroken, .resetAtHead, .resetInBody, .shortBody, .garbage, .silence: return false
    }
  }

  private func allows(_ error: NetworkError) -> Bool {
    if plan.cancelsAfter != nil, error.kind == .cancelled(.task) { return true }
    return switch plan.deed {
    case .small, .large, .chunked, .uploadBytes, .uploadStream: false
    case .uploadBroken: error.kind == .rejected
    // The server's reset may overtake its response.
    case .uploadRefused: error.kind == .transport
    case .resetAtHead, .resetInBody, .shortBody: error.kind == .transport
    case .garbage: error.kind == .protocolViolation
    case .silence: [.timeout(.whole), .timeout(.queue)].contains(error.kind)
    }
  }

  private static func words(_ outcome: Outcome) -> String {
    switch outcome {
    case .whole(let status, let body): "status \(status) and \(body.count) bytes"
    case .letGo: "a stream that was let go"
    case .failed(let error): "\(error)\(error.underlying.map { " (\($0))" } ?? "")"
    }
  }
}
