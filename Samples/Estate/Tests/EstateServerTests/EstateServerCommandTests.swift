import EstateServer
import Foundation
import HTTPServing
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct EstateServerCommandTests {
  private static var line: Regex<(Substring, Substring)> {
    /estate-server: listening on (https:\/\/localhost:[1-9][0-9]*)/
  }

  private func run(_ arguments: [String], whenReady signal: Int32? = nil) async throws -> ChildProcess.Outcome
  {
    try await ChildProcess.outcome(of: ChildProcess.builtProgram("estate-server"), arguments, signal: signal)
  }

  @Test(
    "The program prints one line when it is ready, and a signal ends it without an error",
    arguments: [SIGTERM, SIGINT])
  func readiness(signal: Int32) async throws {
    let scratch = ScratchDirectory()
    let outcome = try await run(["--port", "0", "--state", scratch.path], whenReady: signal)
    let line = try #require(outcome.output.wholeMatch(of: Self.line))
    #expect(outcome.errors == "")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try scratch.permissions("demo-key.json") == 0o600)
    // 7: the connection was refused.
    #expect(try await CurlProgram.run(["-sS", String(line.1)]).status == 7)
    // The shell that started nginx may end a moment later.
    try await waitUntil("nginx and its shell have ended") { try !isMentionedByProcess(scratch.path) }
  }

  @Test("A program that was killed leaves no nginx behind")
  func killed() async throws {
    let scratch = ScratchDirectory()
    let outcome = try await run(["--port", "0", "--state", scratch.path], whenReady: SIGKILL)
    let line = try #require(outcome.output.wholeMatch(of: Self.line))
    // Both end a moment after the server.
    try await waitUntil("nginx and its shell have ended") { try !isMentionedByProcess(scratch.path) }
    #expect(try await CurlProgram.run(["-sS", String(line.1)]).status == 7)
  }

  /// Whether the path is in the command line of a running process, as it is in those of nginx and its shell.
  private func isMentionedByProcess(_ path: String) throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
      guard Int(name) != nil, let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else {
        return false
      }
      return String(decoding: line, as: UTF8.self).contains(path)
    }
  }

  @Test("A damaged state directory is reported in a sentence, with status 1")
  func damaged() async throws {
    let scratch = ScratchDirectory()
    try scratch.write("nonsense", to: "server.pem")
    let outcome = try await run(["--port", "0", "--state", scratch.path])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: \(scratch.path)/ca.pem, "))
    #expect(outcome.errors.contains("is missing. Delete "))
  }

  @Test(
    "Flags out of range are refused with their range",
    arguments: [
      (["--port", "65536"], "0 to 65535"), (["--session-lifetime", "0"], "1 to 31536000"),
      (["--nonce-server", "6379"], "a host and a port"),
      (["--nonce-file", "a", "--nonce-server", "b:1"], "exclude each other"),
    ])
  func flags(arguments: [String], wanted: String) async throws {
    let outcome = try await run(arguments)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.contains(wanted))
  }

  @Test("The help names the account, the files and the options")
  func help() async throws {
    let help = try await run(["--help"]).output
    for word in [
      DemoAccount.user, DemoAccount.password, "ca.pem", "demo-key.json", "--port", "--state",
    ] {
      #expect(help.contains(word))
    }
  }
}
