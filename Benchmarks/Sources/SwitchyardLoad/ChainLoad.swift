import HTTPTypes
import Interception

/// Sends requests one after another through a chain that ends in a stub.
public struct ChainLoad: Sendable {
  private enum Chain {
    case listed(Pipeline)
    case bare(BareChain)
  }

  private let chain: Chain
  private let head: HTTPRequest
  private let body: RequestBody
  private let context: RequestContext

  /// Builds the chain and its request, which is the same for all shapes except for the cache rule.
  ///
  /// - Parameter missing: The part that ``ChainShape/appChain`` leaves out; nil for none.
  public init(_ shape: ChainShape, leavingOut missing: AppChain.Part? = nil) throws {
    let stub = StubDispatcher(cacheControl: shape.cacheControl)
    chain =
      switch shape {
      case .sixBare: .bare(BareChain(6, over: stub))
      default: .listed(try shape.pipeline(over: stub, authority: AppChain.authority, leavingOut: missing))
      }
    var request = AppChain.request
    if shape.caches { request.context.cacheRule = .timed() }
    (head, body, context) = (request.head, shape.body, request.context)
  }

  /// Sends `count` requests, each with its own identity; throws the first error.
  @concurrent public func send(_ count: Int) async throws {
    // A separate loop for each and no closure, because a closure would make the task look up its executor
    // after every call.
    switch chain {
    case .listed(let pipeline): for _ in 0..<count { try check(try await pipeline.send(request)) }
    case .bare(let chain): for _ in 0..<count { try check(try await chain.dispatch(request)) }
    }
  }

  private var request: Request { Request(head, body: body, context: context) }

  private func check(_ response: Response) throws {
    guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
  }
}

/// A status that the stub never returns.
struct UnexpectedStatus: Error {
  let code: Int
}
