import CommandRunning
import Foundation
import Interception
import LoopbackServing
import Synchronization
import Testing

@testable import CurlTransport

// The poller learns that a connection carries a request when libcurl begins to wait for its response. It
// never does if the response arrives, and is paused, before that. The server's thread therefore preempts the
// loop's on the same processor as soon as it has received the request.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReusedConnectionTests {
  @Test("A response that is paused before libcurl waits for it arrives complete over a reused connection")
  func pausedAtOnce() async throws {
    let length = 4 << 20
    let serving = Mutex("")
    let server = try ScriptedServer(raw: { request, wire in
      // A path that ends with the thread's identifier.
      let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      serving.withLock { $0 = String(thread.split(separator: "/").last ?? "") }
      let count = request.target == "/first" ? 1 : length
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
      try wire.send([UInt8](repeating: 7, count: count))
      wire.stayOpen()
    })
    for _ in 0..<20 {
      let others = try loops()
      let dispatcher = CurlDispatcher()
      _ = try await dispatcher.dispatch(.get(server, "/first"))
      for loop in try loops().subtracting(others) {
        try await run("taskset", "-p", "-c", processor(), loop)
        try await run("renice", "-n", "19", "-p", loop)
      }
      try await run("taskset", "-p", "-c", processor(), serving.withLock { $0 })
      let request = Request.get(server, "/second").with { $0.options.delivery = .streamed }
      let response = try await dispatcher.dispatch(request)
      #expect(try await response.body.collect(upTo: length).count == length)
      await dispatcher.shutdown()
    }
    #expect(server.counts.accepted == 20)
  }

  /// The identifiers of the threads of all dispatchers.
  private func loops() throws -> Set<String> {
    let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return Set(
      threads.filter { thread in
        (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "curl\n"
      })
  }

  /// The first processor that the process may use.
  private func processor() throws -> String {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
    return String(line?.dropFirst(18).drop { !$0.isNumber }.prefix { $0.isNumber } ?? "0")
  }

  private func run(_ words: String...) async throws {
    let outcome = try await Command(words: words).run()
    try #require(outcome.status == 0, "\(outcome)")
  }
}
