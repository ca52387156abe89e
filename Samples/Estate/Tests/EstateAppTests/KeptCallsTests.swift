import EstateApp
import Foundation
import Inspection
import Switchyard
import Testing

@Suite("estate --keep-calls", .timeLimit(.minutes(5)), .server)
struct KeptCallsTests {
  private func estate(_ words: [String]) async throws -> Int32 {
    try await RunningProgram.status(of: RunningProgram.folder.appending(path: "estate"), words)
  }

  @Test(
    "The calls of a run are shown by the next one, if it was asked to keep them, and their file is private")
  func nextRun() async throws {
    let server = try #require(RunningServer.current)
    let words = ["--server", server.url, "--state", server.state, "--inspector", "0"]
    #expect(try await estate(["open"] + words + ["estate://home/1"]) == 0)
    let file = server.state + "/inspector-calls.sqlite"
    #expect(!FileManager.default.fileExists(atPath: file), "kept without being asked")
    #expect(try await estate(["open"] + words + ["--keep-calls", "estate://home/42"]) == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let inspector = Inspector.estate()
    try inspector.keepCalls(in: file)
    let address = try await inspector.serve()
    let page = try await calls(at: address)
    let paths = page.calls.filter { $0.earlier == true }.map(\.path)
    #expect(paths.contains { $0.hasPrefix("/v1/homes/42") }, "\(paths)")
    #expect(!paths.contains { $0.hasPrefix("/v1/homes/1?") || $0 == "/v1/homes/1" }, "\(paths)")
    await inspector.stop()
  }

  private struct Calls: Decodable {
    struct Call: Decodable {
      let path: String
      let earlier: Bool?
    }

    let calls: [Call]
  }

  private func calls(at address: String) async throws -> Calls {
    let client = CurlDispatcher()
    let url = try #require(URL(string: address))
    let answer = try await client.dispatch(
      Request(scheme: "http", authority: "127.0.0.1:\(url.port ?? 0)", path: url.path() + "calls?after=0"))
    let bytes = try await answer.body.collect(upTo: 1 << 20)
    await client.shutdown()
    return try JSONDecoder().decode(Calls.self, from: Data(bytes))
  }
}
