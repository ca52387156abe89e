import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.enabled(if: NginxServer.runsSuites), .timeLimit(.minutes(5)))
struct TaskExecutorTests {
  @Test("Tasks that prefer the dispatcher's thread get their responses there, several at a time")
  func responses() async throws {
    let server = try await NginxServer(files: ["a": Array("content".utf8)])
    let dispatcher = CurlDispatcher()
    let head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(server.port)", path: "/a")
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<20 {
        group.addTask(executorPreference: dispatcher.taskExecutor) {
          var last: [UInt8] = []
          for _ in 0..<10 { last = try await dispatcher.dispatch(Request(head)).body.collect(upTo: 100) }
          return last
        }
      }
      for try await body in group { #expect(body == Array("content".utf8)) }
    }
    await dispatcher.shutdown()
  }

  @Test("After a shutdown such tasks still run, and their requests are refused")
  func shutdown() async throws {
    let dispatcher = CurlDispatcher()
    await dispatcher.shutdown()
    let error = await withTaskExecutorPreference(dispatcher.taskExecutor) {
      await failure { () throws(NetworkError) in
        try await dispatcher.dispatch(
          Request(HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:1", path: "/")))
      }
    }
    #expect(error?.kind == .cancelled(.shutdown))
  }

  @Test("A task that prefers the thread outlives the dispatcher")
  func outlives() async {
    let value = await Task(executorPreference: CurlDispatcher().taskExecutor) {
      await Task.yield()
      return 1
    }.value
    #expect(value == 1)
  }
}
