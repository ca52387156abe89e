import Mediation

/// Runs the calls of one page with its permissions.
///
/// Does not retain the bridge, so that a bridge which is released cancels its calls.
struct PageCaller: Sendable {
  let mediator: Mediator
  /// The URL of the page.
  let page: String
  let host: String
  let methods: [String: PageMethod]

  /// Runs a call and returns its final reply.
  func run(_ target: PageCall.Target, progress: @escaping PageCalls.Progress) async -> PageReply.Event {
    do throws(RouteError) {
      let answer = try await mediator.open(
        try url(of: target), from: .web(host: host), opener: page, limitedTo: methods.values.map(\.route),
        progress: progress)
      switch answer {
      case let answer as any PageRepresentable: return .success(answer.pageValue)
      case nil, is Void: return .success(.null)
      case let answer?:
        throw .resultMismatch(expected: "PageRepresentable", got: String(describing: type(of: answer)))
      }
    } catch {
      return .failure(PageFailure(error))
    }
  }

  private func url(of target: PageCall.Target) throws(RouteError) -> String {
    switch target {
    case .url(let text): return text
    case .method(let name, let parameters):
      guard let method = methods[name] else {
        throw mediator.failure(.notFound(url: name), nil, name, .external(.web(host: host)))
      }
      return try method.url(parameters).text
    }
  }
}
