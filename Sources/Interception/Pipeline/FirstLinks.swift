/// The first eight links of a pipeline, as constants.
///
/// A constant of an object is lent to a step that suspends, an element of an array is counted up before the step and
/// down after it, which six steps feel as much as one step more.
final class FirstLinks: Sendable {
  static let count = 8

  private let first: Link
  private let second: Link
  private let third: Link
  private let fourth: Link
  private let fifth: Link
  private let sixth: Link
  private let seventh: Link
  private let eighth: Link

  /// Takes the first of `links`; what is beyond their end is the last one again, and never entered.
  init(_ links: [Link]) {
    func link(_ index: Int) -> Link {
      index < links.count ? links[index] : Link(interceptor: Absent(), name: "", stage: .wire)
    }
    first = link(0)
    second = link(1)
    third = link(2)
    fourth = link(3)
    fifth = link(4)
    sixth = link(5)
    seventh = link(6)
    eighth = link(7)
  }

  /// Enters the interceptor at `index`, which is below ``count``.
  @inline(__always)
  func enter(_ index: Int, _ request: Request, _ next: some Dispatcher) async throws -> Response {
    switch index {
    case 0: try await Self.enter(first, request, next)
    case 1: try await Self.enter(second, request, next)
    case 2: try await Self.enter(third, request, next)
    case 3: try await Self.enter(fourth, request, next)
    case 4: try await Self.enter(fifth, request, next)
    case 5: try await Self.enter(sixth, request, next)
    case 6: try await Self.enter(seventh, request, next)
    default: try await Self.enter(eighth, request, next)
    }
  }

  // Whatever is handed to a function of its own is lent to it.
  @inline(__always)
  private static func enter(_ link: Link, _ request: Request, _ next: some Dispatcher) async throws
    -> Response
  {
    try await link.interceptor.intercept(request, next: next)
  }

  /// Stands where a pipeline has no interceptor.
  private struct Absent: Interceptor {
    let traits = InterceptorTraits(stage: .wire)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try await next.dispatch(request)
    }
  }
}
