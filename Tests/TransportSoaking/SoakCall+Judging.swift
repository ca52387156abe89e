import HTTPTypes
import Interception

extension SoakCall {
  /// What is wrong with an outcome; nil if the plan allows it.
  func fault(of outcome: Outcome) -> String? {
    let isRight =
      switch outcome {
      case .whole(let status, let body, _): allows(status: status, body: body)
      case .letGo: plan.reading == .dropped || plan.reading == .unread
      case .failed(let error): allows(error)
      }
    guard !isRight else { return nil }
    return
      "request \(plan.number) (\(plan.server.rawValue), \(plan.deed), \(plan.reading), cancelled after "
      + "\(plan.cancelsAfter.map(String.init) ?? "never")) ended with \(Self.words(outcome))"
  }

  private func allows(status: Int, body: [UInt8]) -> Bool {
    // Caddy responds in place of a server that has closed a connection without a response.
    if plan.server == .caddy, status == 502 { return true }
    switch plan.deed {
    case .small:
      let text = String(decoding: body, as: UTF8.self)
      return status == 200
        && (plan.server == .nginx ? text.contains("/echo?\(plan.number)\n") : text == "\(plan.number)")
    case .large:
      return status == 200 && body.count == (plan.server == .nginx ? Soak.largeSize : plan.size)
        && SoakPattern.matches(body, at: 0)
    case .chunked: return status == 200 && body.count == plan.size && SoakPattern.matches(body, at: 0)
    case .uploadBytes, .uploadStream:
      if plan.server == .nginx { return status == 201 || status == 204 }
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

  /// Whether an outcome is the error of a connection that was lost, or could not be opened.
  static func isLoss(_ outcome: Outcome) -> Bool {
    guard case .failed(let error) = outcome else { return false }
    return switch error.kind {
    case .transport, .connect, .timeout, .tls(.handshake), .bodyNotReplayable: true
    default: false
    }
  }

  private static func words(_ outcome: Outcome) -> String {
    switch outcome {
    case .whole(let status, let body, _): "status \(status) and \(body.count) bytes"
    case .letGo: "a stream that was let go"
    case .failed(let error): "\(error)\(error.underlying.map { " (\($0))" } ?? "")"
    }
  }
}
