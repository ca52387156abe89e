import HTTPTypes
import Interception

/// Sends one request after another through a chain that ends in a stub.
public struct ChainLoad: Sendable {
  private static let authority = "api.example.com"
  private let pipeline: Pipeline
  private let request: Request

  /// Builds the chain and its request.
  public init(_ shape: ChainShape) throws {
    pipeline = try shape.pipeline(
      over: StubDispatcher(cacheControl: shape.cacheControl), authority: Self.authority)
    var request = Request(
      authority: Self.authority, path: "/v1/houses?city=SACRAMENTO&page=1",
      headerFields: [.accept: "application/json"])
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    if shape != .none, shape != .sixPassing { request.context.cacheRule = .timed() }
    self.request = request
  }

  /// Sends `count` requests, each with an identity of its own; throws what the first failing one throws.
  @concurrent public func send(_ count: Int) async throws {
    let (head, context) = (request.head, request.context)
    for _ in 0..<count {
      let response = try await pipeline.send(Request(head, context: context))
      guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
    }
  }
}

/// An answer that a stub does not give.
struct UnexpectedStatus: Error {
  let code: Int
}
