import Interception

/// Empty asynchronous calls through a protocol, chained at run time.
///
/// It is not a usable chain: nothing is checked, observed or wrapped. It shows the minimum cost in the
/// language.
struct BareChain: Dispatcher {
  private let first: BareLink

  /// Chains `count` calls before `base`.
  init(_ count: Int, over base: any Dispatcher) {
    first = (0..<count).reduce(BareLink(BareEnd(base: base), next: nil)) { next, _ in
      BareLink(BareStep(), next: next)
    }
  }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    try await BareLink.enter(request, first)
  }
}

/// A call in a ``BareChain``.
private protocol BareCall: Sendable {
  func pass(_ request: Request, at link: BareLink) async throws(NetworkError) -> Response
}

private final class BareLink: Sendable {
  let call: any BareCall
  let next: BareLink?

  init(_ call: any BareCall, next: BareLink?) {
    self.call = call
    self.next = next
  }

  // The arguments are borrowed, which saves retains and releases.
  @inline(__always)
  static func enter(_ request: Request, _ link: BareLink) async throws(NetworkError) -> Response {
    try await link.call.pass(request, at: link)
  }

  @inline(__always)
  static func pass(_ request: Request, to link: BareLink?) async throws(NetworkError) -> Response {
    switch link {
    case let link?: try await enter(request, link)
    case nil: try Self.end()
    }
  }

  private static func end() throws(NetworkError) -> Response {
    throw NetworkError(.transport, "A bare step has no next step.")
  }
}

private struct BareStep: BareCall {
  func pass(_ request: Request, at link: BareLink) async throws(NetworkError) -> Response {
    try await BareLink.pass(request, to: link.next)
  }
}

private struct BareEnd: BareCall {
  let base: any Dispatcher

  func pass(_ request: Request, at link: BareLink) async throws(NetworkError) -> Response {
    try await base.dispatch(request)
  }
}
