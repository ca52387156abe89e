#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct KeptCallsPageTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.path + "/calls.sqlite" }

  init() throws { folder = try TemporaryFolder(prefix: "calls") }

  @Test("After a restart the page shows the calls of the run before, marked, and then its own")
  func restart() async throws {
    try await KeptRun(path).send(2).end()
    let run = try KeptRun(path)
    try await run.send(1)
    let page = PageClient(try await run.inspector.serve())
    let calls = try await page.get("calls?after=0").json["calls"].list
    #expect(calls.map { $0["id"].number } == [1, 2, 3])
    #expect(calls.map { $0["earlier"].bool } == [true, true, nil])
    let sequences = calls.compactMap { $0["seq"].number }
    #expect(sequences == sequences.sorted() && Set(sequences).count == 3)
    #expect(try await page.get("calls?after=1").json["calls"].list.count == 2)
    let detail = try await page.get("call?id=2").json
    #expect(detail["earlier"].bool == true)
    #expect(detail["exchanges"].list.count == 1)
    #expect(try await page.get("har?id=2").json["log"]["entries"].list.count == 1)
    #expect(try await page.get("har").json["log"]["entries"].list.count == 3)
    let refusal = try await page.post("replay?id=2")
    #expect(refusal.status == 409)
    #expect(try refusal.json["error"].text == KeptCall.replayRefusal)
    let state = try await page.get("state").json
    #expect(state["file"]["earlier"].number == 2)
    #expect(state["file"]["fault"].isNull)
    // The totals are those of this run.
    #expect(state["totals"]["calls"].number == 1)
    #expect(try await page.post("clear").status == 200)
    #expect(try await page.get("calls?after=0").json["calls"].list.isEmpty)
    #expect(try await page.get("call?id=2").status == 404)
    await run.end()
  }

  @Test("Many calls are given in pages of 500, each ending with its last call")
  func pages() async throws {
    try await KeptRun(path).send(700).end()
    let run = try KeptRun(path)
    try await run.send(450)
    let page = PageClient(try await run.inspector.serve())
    var (after, ids, counts): (Int, [Int], [Int]) = (0, [], [])
    repeat {
      let answer = try await page.get("calls?after=\(after)").json
      let lines = answer["calls"].list
      counts.append(lines.count)
      ids += lines.compactMap { $0["id"].number.map { Int($0) } }
      after = Int(try #require(answer["last"].number))
      if lines.count == 500 { #expect(lines.last?["seq"].number == Double(after)) }
    } while counts.last == 500
    #expect(counts == [500, 500, 150])
    #expect(ids == Array(1...1_150))
    await run.inspector.stop()
    await run.end()
  }

  @Test("Why calls aren't kept is part of the state, and an inspector without a file has none")
  func fault() async throws {
    let run = try KeptRun(path)
    let page = PageClient(try await run.inspector.serve())
    run.file.attempt(isWrite: true) { () throws(QueueFileError) in throw QueueFileError(.full, path: path) }
    // Reading shows nothing of the disk.
    #expect(try await page.get("calls?after=-1").json["calls"].list.isEmpty)
    let fault = try await page.get("state").json["file"]["fault"].text
    #expect(fault == "The inspector's file \"\(path)\" can't grow, because the disk is full; free space.")
    await run.inspector.stop()
    await run.end()
    let inspector = Inspector(app: "Test")
    let other = PageClient(try await inspector.serve())
    #expect(try await other.get("state").json["file"].isNull)
    await inspector.stop()
  }
}
#endif
