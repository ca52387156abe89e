/// The links of a pipeline, outermost first.
///
/// The first eight are constants besides: a constant of an object is lent to a step that suspends, while an element of an
/// array is counted up before the step and down after it, which costs an eighth of the step.
final class Links: Sendable {
  private let first: Link
  private let second: Link
  private let third: Link
  private let fourth: Link
  private let fifth: Link
  private let sixth: Link
  private let seventh: Link
  private let eighth: Link
  private let all: [Link]

  init(_ links: [Link]) {
    func link(_ index: Int) -> Link {
      links.indices.contains(index) ? links[index] : Link(interceptor: Absent(), name: "", stage: .wire)
    }
    first = link(0)
    second = link(1)
    third = link(2)
    fourth = link(3)
    fifth = link(4)
    sixth = link(5)
    seventh = link(6)
    eighth = link(7)
    all = links
  }

  var count: Int { all.count }

  subscript(index: Int) -> Link { all[index] }

  /// Enters the interceptor at `index`.
  @inline(__always)
  func enter(_ index: Int, _ request: Request, next: some Dispatcher) async throws -> Response {
    switch index {
    case 0: try await Self.enter(first, request, next)
    case 1: try await Self.enter(second, request, next)
    case 2: try await Self.enter(third, request, next)
    case 3: try await Self.enter(fourth, request, next)
    case 4: try await Self.enter(fifth, request, next)
    case 5: try await Self.enter(sixth, request, next)
    case 6: try await Self.enter(seventh, request, next)
    case 7: try await Self.enter(eighth, request, next)
    default: try await Self.enter(all[index], request, next)
    }
  }

  // Whatever is handed to a function of its own is lent to it.
  @inline(__always)
  private static func enter(_ link: Link, _ request: Request, _ next: some Dispatcher) async throws
    -> Response
  {
    try await link.interceptor.intercept(request, next: next)
  }

  /// Stands where a pipeline has no interceptor, and is never entered.
  private struct Absent: Interceptor {
    let traits = InterceptorTraits(stage: .wire)

    func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
      try await next.dispatch(request)
    }
  }
}
