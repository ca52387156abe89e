import Account
import Foundation
import Switchyard
import Testing

@testable import EstateApp
@testable import EstateNetwork

@Suite("What the app records", .timeLimit(.minutes(5)), .server)
final class TelemetryTests: ServerTests {
  @Test("H7: Calls are counted by API, also cached ones and errors, with the dispatcher's connections")
  func metrics() async throws {
    let shell = try server.shell()
    await shell.openAll("estate://listings/condo", "estate://listings/condo")
    #expect(await shell.open("estate://home/100000") == .failed("status_404"))
    let lines = await shell.metricsLines().map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    #expect(lines.first == ["API", "calls", "cached", "errors", "mean"])
    #expect(lines.contains { $0.prefix(4) == ["condos.list", "2", "1", "0"] }, "\(lines)")
    #expect(lines.contains { $0.prefix(4) == ["homes.detail", "1", "0", "1"] }, "\(lines)")
    // The list and the map's places are loaded at the same time, in general.
    let last = try #require(lines.last).joined(separator: " ")
    #expect(last.wholeMatch(of: /dispatcher: waiting 0, running 0, connections [12]/) != nil, "\(last)")
  }

  @Test("H7: The spans of a call are its own and that of each request, with OpenTelemetry's attributes")
  func spans() async throws {
    let shell = try server.shell()
    #expect(shell.spanLines.isEmpty)
    #expect(await shell.open("estate://listings/condo") == .done)
    let lines = shell.spanLines
    #expect(lines.contains { $0.contains("(internal)") && !$0.hasPrefix(" ") })
    #expect(lines.contains { $0.contains("(client)") && $0.hasPrefix("  ") })
    #expect(lines.contains { $0.hasSuffix("http.response.status_code=200") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("event: request") })
  }

  @Test("The archive has the exchanges, without signatures")
  func archive() async throws {
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
  }

  @Test("The advice about the cache counts the requests of the run")
  func cacheAdvice() async throws {
    let shell = try server.shell(console)
    for _ in 1...2 { #expect(await shell.open("estate://listings/condo") == .done) }
    #expect(await shell.perform(line: "cache"))
    #expect(console.lines.contains("  2 requests, 1 of them different; hits of the run: 50.0 %"))
    #expect(console.lines.contains { $0.contains("limit") && $0.contains("S3-FIFO") && $0.contains("OPT") })
  }

  @Test("Requests signed by RFC 9421 are accepted, their responses verified, and changed ones refused")
  func messageSignatures() async throws {
    let shell = try server.shell(console)
    await shell.openAll("estate://settings/signatures/standard", "estate://listings/condo")
    #expect(await shell.open("estate://home/100000") == .failed("status_404"))
    // The response is bound to another request than the one that the app has signed.
    let tampered = await shell.open("estate://fault/tampered")
    #expect(tampered == .failed("rejected"), "\(console.lines.suffix(12))")
    let file = server.state + "/run.har"
    shell.writeArchive(to: file)
    let text = try String(contentsOfFile: file, encoding: .utf8).lowercased()
    #expect(text.contains("\"signature-input\"") && !text.contains("switchyard-signature"))
    await shell.openAll("estate://settings/signatures/package", "estate://listings/condo?page=2")
  }
}
