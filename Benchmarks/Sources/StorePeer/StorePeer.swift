import ArgumentParser
import HTTPTypes
import Interception
import ResponseCaching
import SQLiteStores

@main struct StorePeer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the loads that measure the cache on a disk.",
    subcommands: [Hit.self, Burst.self, Open.self, Flood.self])

  /// Returns a chain of a cache over a stub.
  static func chain(
    _ store: any ResponseStore, under memory: MemoryStore? = nil, bytes: Int
  ) throws -> Pipeline {
    let cache = CachingInterceptor(memory: memory, store: store)
    return try Pipeline(over: Stub(bytes: bytes)) { cache }
  }

  static func request(_ number: Int) -> Request {
    var request = Request(authority: "api.example.com", path: "/v1/houses/\(number)")
    request.context.api = APIIdentity(service: "estate", name: "homes.detail")
    request.context.cacheRule = .timed(.seconds(86_400))
    return request
  }

  /// Returns responses with different contents of the same size.
  private struct Stub: Dispatcher {
    let bytes: Int

    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      var content = Array((request.head.path ?? "").utf8)
      content += repeatElement(0x61, count: max(0, bytes - content.count))
      return Response(status: .ok, headerFields: [.contentType: "application/json"], bytes: content)
    }
  }
}
