#if SQLite
import LoopbackServing
import SwitchyardTesting

/// A server on the loopback network that applies each mutation once, by its key.
final class MutationSink: Sendable {
  private struct State {
    var applied: [String: [String]] = [:]
    var keys: Set<String> = []
    var requests = 0
    var requestsByPath: [String: Int] = [:]
  }

  private let state = WaitableValue(State())
  private let server: ScriptedServer

  /// Starts a server that drops the connection after it has applied a mutation, at each `lossyEvery`th
  /// request.
  init(lossyEvery: Int? = nil) throws {
    server = try ScriptedServer(raw: { [state] request, wire in
      var body: [UInt8] = []
      try wire.readBody(of: request) { body += $0 }
      let name = String(decoding: body, as: UTF8.self)
      let key = request.value(of: "Idempotency-Key") ?? ""
      let target = request.target
      let number = state.update { state in
        state.requests += 1
        state.requestsByPath[target, default: 0] += 1
        if state.keys.insert(target + key).inserted { state.applied[target, default: []].append(name) }
        return state.requests
      }
      if let lossyEvery, number % lossyEvery == 0 { return wire.reset() }
      try wire.send("HTTP/1.1 204 No Content\r\n\r\n")
      wire.stayOpen()
    })
  }

  var port: Int { server.port }
  /// The number of requests, with repeats.
  var requests: Int { state.value.requests }

  /// The number of requests to a path, with repeats.
  func requests(at path: String) -> Int { state.value.requestsByPath[path] ?? 0 }

  /// What was applied at a path, in order.
  func applied(at path: String) -> [String] { state.value.applied[path] ?? [] }

  /// Waits until a number of mutations has been applied at a path.
  func wait(for count: Int, at path: String) async throws {
    try await state.wait { ($0.applied[path] ?? []).count >= count }
  }
}
#endif
