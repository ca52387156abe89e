#if SQLite
import Foundation
import HTTPTypes
import Interception
import ResponseCaching
import SQLiteStores

extension CrashRun {
  /// A server whose bodies follow from the paths.
  private struct Server: Dispatcher {
    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      Response(status: .ok, headerFields: [.eTag: "\"1\""], bytes: ResponseRun.body(request.head.path ?? ""))
    }
  }

  /// Looks up what earlier runs have stored, then stores and removes responses.
  ///
  /// Prints "recorded hit.RUN.NUMBER" for what is found, "refused wrong" for a body that isn't the server's,
  /// and "recorded removed.RUN.NUMBER" after a removal has returned.
  func cacheResponses() async throws {
    let store = SQLiteResponseStore(
      directory: folder + "/responses", limits: .init(bytes: 1 << 20, responseBytes: 200_000, responses: 12)
    ) { Self.say("refused \($0.kind)") }
    let cache = CachingInterceptor(store: store)
    let chain = try Pipeline(over: Server()) { cache }
    for former in 1...max(run, 1) {
      for number in 0..<events {
        let request = ResponseRun.request(former, number, mode: .onlyStored)
        guard let response = try? await chain.dispatch(request) else { continue }
        let body = try await response.body.collect(upTo: 1 << 20)
        Self.say(
          body == ResponseRun.body(request.head.path ?? "")
            ? "recorded hit.\(former).\(number)" : "refused wrong")
      }
    }
    for number in 0..<events {
      _ = try await chain.dispatch(ResponseRun.request(run, number, mode: .useFresh))
      guard number % 3 == 2 else { continue }
      await cache.invalidate(ResponseRun.request(run, number - 1, mode: .useFresh))
      Self.say("recorded removed.\(run).\(number - 1)")
    }
    await store.close()
  }
}

/// The requests and the bodies of the program.
private enum ResponseRun {
  static func request(_ run: Int, _ number: Int, mode: CacheRule.Mode) -> Request {
    var request = Request(method: .get, authority: "api.example", path: "/responses/\(run)/\(number)")
    request.context.cacheRule = .timed(.seconds(3_600)).with(mode)
    return request
  }

  /// The body for a path; that of each fourth one is kept in a file.
  static func body(_ path: String) -> [UInt8] {
    let number = Int(path.split(separator: "/").last ?? "") ?? 0
    let size = number % 4 == 1 ? 80_000 : 200 + number * 1_500
    var body = Array(path.utf8)
    // Twice the bytes before, with their number between, so that no part repeats: byte by byte, a debug build
    // is slow.
    while body.count < size { body += [UInt8(truncatingIfNeeded: body.count / 251)] + body }
    return Array(body.prefix(size))
  }
}
#endif
