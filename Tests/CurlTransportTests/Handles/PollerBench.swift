import CCurlShims
import CLibcurl
import Testing

@testable import CurlTransport

/// A multi handle whose easy handles a test moves on by itself, as the loop does.
struct PollerBench: ~Copyable {
  /// Whether this system's poller knows its sockets.
  static var isWatching: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
  }

  let multi: MultiHandle
  private let stock: ConnectionStock
  private let port: Int

  var poller: Poller { multi.poller }

  init(_ port: Int) throws {
    let multi = try Self.multi()
    stock = try #require(ConnectionStock(multi.poller))
    self.port = port
    self.multi = multi
  }

  private static func multi() throws -> MultiHandle {
    guard let multi = MultiHandle(streams: 1, keptConnections: 4) else {
      throw CurlError(code: Int(CURLE_OUT_OF_MEMORY.rawValue), summary: "There is no memory.")
    }
    return multi
  }

  /// Makes a handle without the callbacks of a transfer, of which there is none.
  func member() throws -> HandlePool.Member {
    let member = try #require(HandlePool.Member())
    let (poller, state) = (poller, member.state)
    member.handle.setBasics = { [unowned member] handle in
      _ = switchyard_easy_set_pointer(handle.pointer, CURLOPT_PRIVATE, state)
      poller.watch(member)
    }
    member.handle.reset()
    try member.attach(stock)
    return member
  }

  /// Sends a request and waits for its answer's end; `whenWaiting` is called once libcurl waits for it.
  func exchange(
    _ member: HandlePool.Member, path: String = "/", whenWaiting: () -> Void = {}
  ) async throws {
    member.begin()
    try member.handle.set(CURLOPT_URL, "http://127.0.0.1:\(port)\(path)")
    try multi.add(member.handle)
    multi.advance(added: 1)
    whenWaiting()
    var finished = multi.nextFinished()
    // Without waiting: the thread belongs to all tests.
    while finished == nil {
      multi.wait(milliseconds: 0)
      multi.advance(added: 0)
      finished = multi.nextFinished()
      await Task.yield()
      try Task.checkCancellation()
    }
    multi.remove(member.handle)
    #expect(finished?.code == CURLE_OK)
    poller.rest(member)
  }
}
