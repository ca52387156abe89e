#if SQLite
import HTTPTypes
import Inspection
import Interception

extension CrashRun {
  private struct Server: Dispatcher {
    func dispatch(_ request: Request) async throws(NetworkError) -> Response {
      Response(status: .ok, headerFields: [.contentType: "application/json"], bytes: Array("[1,2,3]".utf8))
    }
  }

  /// Sends calls, and prints "recorded RUN.NUMBER" after each was written to an inspector's file.
  ///
  /// Prints "refused file" if the file can't be used.
  func inspectCalls() async throws {
    let inspector = Inspector(app: "Test")
    do throws(InspectorError) {
      try inspector.keepCalls(in: folder + "/calls.sqlite")
    } catch { return Self.say("refused file") }
    let pipeline = try Pipeline(over: Server(), observers: [inspector]) {}
    for number in 0..<events {
      _ = try await pipeline.send(Request(authority: "api.example", path: "/\(run).\(number)"))
      await inspector.stop()
      Self.say("recorded \(run).\(number)")
    }
  }
}
#endif
