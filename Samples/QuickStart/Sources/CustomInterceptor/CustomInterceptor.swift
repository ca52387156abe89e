import Switchyard

/// A custom interceptor that identifies the client.
struct Introduction: Interceptor {
  let traits = InterceptorTraits(stage: .authorization)

  func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    var request = request
    request.head.headerFields[.userAgent] = "QuickStart/1"
    return try await next.dispatch(request)
  }
}

@main struct CustomInterceptor {
  static func main() async throws {
    let traces = TraceRecorder { trace in
      for step in trace.steps { print("  \(step.name): \(step.own ?? .zero)") }
    }
    let pipeline = try Pipeline(over: CurlDispatcher(), observers: [traces]) {
      ValidationInterceptor()
      Introduction()
      CompressionInterceptor()
    }
    do {
      let host = CommandLine.arguments.dropFirst().first ?? "example.com"
      let response = try await pipeline.send(Request(authority: host, path: "/"))
      print("\(response.status.code), \(response.body.length ?? 0) bytes")
    } catch {
      print(error)
    }
  }
}
