import HTTPTypes
import Interception
import Testing

@testable import ResponseCaching

/// Requests to two services, and responses to them.
enum ResponseValues {
  static let start = WallTime(secondsSince1970: 784_111_777)
  static let now = CacheInstant(wall: start, steady: .zero)

  static func request(
    _ path: String = "/v1/houses", service: String = "estate", api: String = "houses.list",
    partition: String = "alice"
  ) -> Request {
    var request = Request(method: .get, authority: "\(service).example", path: path)
    request.context.partition = partition
    request.context.api = APIIdentity(service: service, name: api)
    request.context.cacheRule = .timed(.seconds(60))
    return request
  }

  static func key(of request: Request) throws -> CacheKey {
    try #require(CacheKey(request, leavingOut: .standard))
  }

  static func response(
    to request: Request, _ text: String = "a response", fields: HTTPFields = [.eTag: "\"1\""],
    tags: Set<CacheRule.Tag> = [], lifetime: Duration = .seconds(60), receivedAfter delay: Duration = .zero,
    isInMemoryOnly: Bool = false
  ) throws -> StoredResponse {
    let head = HTTPResponse(status: .ok, headerFields: fields)
    let selector = VariantSelector(of: head, to: request.head.headerFields, leavingOut: .standard)
    return StoredResponse(
      key: try key(of: request), selector: try #require(selector), head: head, body: Array(text.utf8),
      trailers: nil,
      freshness: Freshness(
        received: CacheInstant(wall: start.advanced(by: delay), steady: nil), initialAge: .zero,
        lifetime: lifetime), tags: tags, isInMemoryOnly: isInMemoryOnly)
  }
}
