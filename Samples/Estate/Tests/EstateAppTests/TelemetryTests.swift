import Account
import Foundation
import Switchyard
import Testing

@testable import EstateApp
@testable import EstateNetwork

@Suite("What the app records", .timeLimit(.minutes(5)))
@MainActor struct TelemetryTests {
  @Test("H7: Calls are counted by API, also cached ones and errors, with the dispatcher's connections")
  func metrics() async throws {
    let server = try await RunningServer()
    let shell = try server.shell()
    #expect(await shell.open("estate://listings/condo") == .done)
    #expect(await shell.open("estate://listings/condo") == .done)
    #expect(await shell.open("estate://home/100000") == .failed("status_404"))
    let lines = await shell.metricsLines().map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    #expect(lines.first == ["API", "calls", "cached", "errors", "mean"])
    #expect(lines.contains { $0.prefix(4) == ["condos.list", "2", "1", "0"] }, "\(lines)")
    #expect(lines.contains { $0.prefix(4) == ["homes.detail", "1", "0", "1"] }, "\(lines)")
    // The list and the map's places are loaded at the same time, in general.
    let last = try #require(lines.last).joined(separator: " ")
    #expect(last.wholeMatch(of: /dispatcher: waiting 0, running 0, connections [12]/) != nil, "\(last)")
    await server.stop()
  }

  @Test("H7: The spans of a call are its own and that of each request, with OpenTelemetry's attributes")
  func spans() async throws {
    let server = try await RunningServer()
    let shell = try server.shell()
    #expect(shell.spanLines.isEmpty)
    #expect(await shell.open("estate://listings/condo") == .done)
    let lines = shell.spanLines
    #expect(lines.contains { $0.contains("(internal)") && !$0.hasPrefix(" ") })
    #expect(lines.contains { $0.contains("(client)") && $0.hasPrefix("  ") })
    #expect(lines.contains { $0.hasSuffix("http.response.status_code=200") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("event: request") })
    await server.stop()
  }

  @Test("The archive has the exchanges, without signatures")
  func archive() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try server.shell(console)
    #expect(await shell.open("estate://listings/condo") == .done)
    let file = server.state + "/run.har"
    shell.writeArchive(to: file)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.contains("/v1/condos") && text.contains(#""version":"1.2""#))
    let archive = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let entries = try #require((archive["log"] as? [String: Any])?["entries"] as? [[String: Any]])
    let fields = try #require(
      (entries.first?["request"] as? [String: Any])?["headers"] as? [[String: String]])
    let signature = fields.first { $0["name"]?.lowercased() == "switchyard-signature" }
    #expect(signature?["value"] == "REDACTED")
    shell.writeArchive(to: server.state + "/none/run.har")
    #expect(console.lines.last?.contains("can't be written") == true)
    await server.stop()
  }

  @Test("The advice about the cache counts the requests of the run, and is written as a plot")
  func cacheAdvice() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try server.shell(console)
    for _ in 1...2 { #expect(await shell.open("estate://listings/condo") == .done) }
    let file = server.state + "/cache.svg"
    shell.showCacheAdvice(plotIn: file)
    #expect(console.lines.contains("  2 requests, 1 of them different; hits of the run: 50.0 %"))
    #expect(console.lines.contains { $0.contains("limit") && $0.contains("S3-FIFO") && $0.contains("OPT") })
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("</svg>"))
    shell.showCacheAdvice(plotIn: server.state + "/none/cache.svg")
    #expect(console.lines.last?.contains("can't be written") == true)
    await server.stop()
  }

  @Test("Requests signed by RFC 9421 are accepted, their responses verified, and changed ones refused")
  func messageSignatures() async throws {
    let server = try await RunningServer()
    let console = RecordingConsole()
    let shell = try server.shell(console)
    #expect(await shell.open("estate://settings/signatures/standard") == .done)
    #expect(await shell.open("estate://listings/condo") == .done)
    #expect(await shell.open("estate://home/100000") == .failed("status_404"))
    // The response is bound to another request than the one that the app has signed.
    let tampered = await shell.open("estate://fault/tampered")
    #expect(tampered == .failed("rejected"), "\(console.lines.suffix(12))")
    let file = server.state + "/run.har"
    shell.writeArchive(to: file)
    let text = try String(contentsOfFile: file, encoding: .utf8).lowercased()
    #expect(text.contains("\"signature-input\"") && !text.contains("switchyard-signature"))
    #expect(await shell.open("estate://settings/signatures/package") == .done)
    #expect(await shell.open("estate://listings/condo?page=2") == .done)
    await server.stop()
  }
}

@Suite("The plot of the advice about the cache")
struct AdvicePlotTests {
  /// 40 responses of 100 bytes, of which a few are requested more often than the others.
  private static let recording = CacheRecording(
    entries: (0..<400).map { index in
      let key = index % 3 == 0 ? index / 3 % 5 : 5 + index * 11 % 35
      return CacheRecording.Entry(
        key: UInt64(key), time: .seconds(index), size: 100, lifetime: .seconds(120), isHit: index % 4 == 0)
    })

  @Test("The plot is an SVG image with axes, labels and a line for each policy, in light and dark colors")
  func plot() throws {
    let advice = CacheAdvice(
      Self.recording, bytes: [1_024, 1_536, 1 << 20], policies: [.lru, .s3FIFO, .optimal])
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "plot.svg")
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(AdvicePlot(advice).svg(title: "Limits <b>& \"policies\"\u{1B}\n'") == expected)
  }

  @Test("A recording without requests, or with one limit, has a plot")
  func degenerate() {
    for recording in [CacheRecording(), Self.recording] {
      for limits in [[], [0], [1 << 20]] {
        let plot = AdvicePlot(CacheAdvice(recording, bytes: limits)).svg()
        #expect(!plot.contains("nan") && plot.hasSuffix("</svg>\n"))
      }
    }
  }
}
