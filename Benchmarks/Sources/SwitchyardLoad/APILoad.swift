import APIManagers
public import ArgumentParser
import HTTPTypes
import Interception

/// Loads an API by a client over a stub, one call after another, and for comparison sends the request that
/// such a load sends.
public struct APILoad: Sendable {
  /// The params of the API.
  public enum Params: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// No params.
    case none
    /// Two fields in the query.
    case query
  }

  private let pipeline: Pipeline
  private let client: APIClient
  private let params: Params
  private let head: HTTPRequest
  private let body: RequestBody
  private let context: RequestContext

  /// Creates a client without interceptors.
  public init(_ params: Params) throws {
    pipeline = try Pipeline(over: StubDispatcher(cacheControl: "no-store")) {}
    client = APIClient(dispatcher: pipeline)
    self.params = params
    let address = EnvironmentSwitch().address(of: .estate)
    let request =
      switch params {
      case .none: try HouseCount.endpoint.request(for: NoParams(), at: address)
      case .query: try HouseSearch.endpoint.request(for: HouseSearch.Params(), at: address)
      }
    (head, body, context) = (request.head, request.body, request.context)
  }

  /// Loads the API `count` times; throws the first error.
  @concurrent public func load(_ count: Int) async throws {
    switch params {
    case .none: for _ in 0..<count { try check(try await client.load(HouseCount())) }
    case .query:
      for _ in 0..<count { try check(try await client.load(HouseSearch(), HouseSearch.Params())) }
    }
  }

  /// Sends the API's request `count` times through the pipeline, each with its own identity.
  @concurrent public func send(_ count: Int) async throws {
    for _ in 0..<count {
      let response = try await pipeline.send(Request(head, body: body, context: context))
      guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
    }
  }

  private func check(_ response: APIResponse) throws {
    guard response.status == .ok else { throw UnexpectedStatus(code: response.status.code) }
  }
}

extension Service {
  static let estate = Service("estate", at: ServiceAddress(authority: "api.example.com", version: "v1"))
}

/// An API without params.
struct HouseCount: API {
  static let endpoint = Endpoint<NoParams>(.estate, "houses.count", path: "/houses/count")
}

/// An API with two fields in its query.
private struct HouseSearch: API {
  struct Params: Encodable, Sendable {
    var city = "SACRAMENTO"
    var page = 1
  }
  static let endpoint = Endpoint<Params>(.estate, "houses.list", path: "/houses")
}
