import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.enabled(if: NginxServer.runsSuites), .timeLimit(.minutes(5)))
struct TaskExecutorTests {
  @Test func `tasks that prefer the dispatcher's thread get their answers there, also several at a time`()
    async throws
  {
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

  @Test func `after the shutdown such tasks run all the same, and are refused`() async throws {
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

  @Test func `a task that prefers the thread outlives the dispatcher`() async {
    let value = await Task(executorPreference: CurlDispatcher().taskExecutor) {
      await Task.yield()
      return 1
    }.value
    #expect(value == 1)
  }
}
