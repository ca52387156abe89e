import EstateServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct EstateServerCommandTests {
  @Test("it prints one line when it is ready, and SIGTERM ends it without an error")
  func readiness() async throws {
    let scratch = ScratchDirectory()
    let outcome = try await ServerProgram.run(
      ["--port", "0", "--state", scratch.path], terminateWhenReady: true)
    #expect(
      outcome.output.wholeMatch(of: /estate-server: listening on https:\/\/localhost:[1-9][0-9]*\n/) != nil)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    #expect(try scratch.permissions("demo-key.json") == 0o600)
  }

  @Test("a damaged state directory is a sentence and a status of 1")
  func damaged() async throws {
    let scratch = ScratchDirectory()
    try scratch.write("nonsense", to: "server.pem")
    let outcome = try await ServerProgram.run(["--port", "0", "--state", scratch.path])
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("Error: \(scratch.path)/ca.pem, "))
    #expect(outcome.errors.contains("is missing. Delete "))
  }

  @Test(
    "bad flags are refused with what they may be",
    arguments: [(["--port", "65536"], "0 to 65535"), (["--session-lifetime", "0"], "1 to 31536000")])
  func flags(arguments: [String], wanted: String) async throws {
    let outcome = try await ServerProgram.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(wanted))
  }

  @Test("the help names the account, the files and the environment")
  func help() async throws {
    let help = try await ServerProgram.run(["--help"]).output
    for word in [
      DemoAccount.user, DemoAccount.password, "ca.pem", "demo-key.json", "ESTATE_KEY_ID", "--port", "--state",
    ] {
      #expect(help.contains(word))
    }
  }
}
