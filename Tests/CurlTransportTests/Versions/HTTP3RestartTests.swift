import CommandRunning
import Foundation
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

/// Programs that start again, each of which is a dispatcher here.
@Suite("HTTP/3 after a restart", .timeLimit(.minutes(5)), .http3, .caddy)
struct HTTP3RestartTests {
  private let folder: TemporaryFolder
  private let file: AlternativeServiceFile

  init() throws {
    folder = try TemporaryFolder(prefix: "restart")
    file = AlternativeServiceFile(folder.url.appending(path: "alt-svc").path) { Issue.record("\($0)") }
  }

  private func dispatcher(_ server: CaddyServer, loops: Int = 1) -> CurlDispatcher {
    HTTP3Bench.dispatcher(server, .whenAdvertised) {
      $0.alternativeServices = file
      $0.loops = loops
    }
  }

  @Test(
    "L3: The first request uses HTTP/3 if the former start has received the advertisement", arguments: [1, 3])
  func restart(loops: Int) async throws {
    let server = try await CaddyServer()
    let request = HTTP3Bench.request(server.port)
    let first = dispatcher(server, loops: loops)
    #expect(try await first.line(request).report.http3 == .notAdvertised)
    await first.shutdown()
    let second = dispatcher(server, loops: loops)
    let report = try await second.line(request).report
    #expect(report.version == .http3 && report.http3 == .used)
    await second.shutdown()
  }

  @Test("L3: What one partition has received before the restart is not used by another one")
  func partitions() async throws {
    let server = try await CaddyServer()
    let first = dispatcher(server)
    _ = try await first.line(HTTP3Bench.request(server.port, partition: "anna"))
    await first.shutdown()
    let second = dispatcher(server)
    for (partition, outcome) in [
      ("bert", TransportReport.HTTP3Outcome.notAdvertised), ("", .notAdvertised), ("anna", .used),
    ] {
      let request = HTTP3Bench.request(server.port, partition: partition)
      #expect(try await second.line(request).report.http3 == outcome)
    }
    await second.shutdown()
  }

  @Test(
    "L3: A change of network is one of the next start, too, also before the first request",
    arguments: [true, false])
  func networkChange(hasRequest: Bool) async throws {
    let server = try await CaddyServer()
    let request = HTTP3Bench.request(server.port)
    let first = dispatcher(server)
    _ = try await first.line(request)
    await first.shutdown()
    let second = dispatcher(server)
    if hasRequest { #expect(try await second.line(request).report.http3 == .used) }
    second.networkDidChange()
    await second.shutdown()
    let third = dispatcher(server)
    #expect(try await third.line(request).report.http3 == .notAdvertised)
    #expect(try await third.line(request).report.http3 == .used)
    await third.shutdown()
    let fourth = dispatcher(server)
    #expect(try await fourth.line(request).report.http3 == .used)
    await fourth.shutdown()
  }

  @Test("A stored advertisement that no server serves any more costs no request")
  func outdated() async throws {
    let server = try await CaddyServer(advertisement: "h3=\":1\"")
    let first = dispatcher(server)
    let request = HTTP3Bench.request(server.tcpPort)
    #expect(try await first.line(request).report.http3 == .notAdvertised)
    await first.shutdown()
    let second = dispatcher(server)
    #expect(try await second.line(request).report.http3 == .lostRace)
    await second.shutdown()
  }
}
