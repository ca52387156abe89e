import Testing
import ToolCommands

@Suite struct SocketArgumentTests {
  @Test(
    "A host and a path are separated by the first colon",
    arguments: [
      ("docker:/var/run/docker.sock", "docker", "/var/run/docker.sock"),
      ("Api.Example.com:relative.sock", "api.example.com", "relative.sock"), ("a:/b:c", "a", "/b:c"),
    ])
  func forms(text: String, host: String, path: String) throws {
    let argument = try SocketArgument(text)
    #expect(argument.host == host)
    #expect(argument.path == path)
  }

  @Test(
    "What names no host or no path is refused as a wrong command line",
    arguments: ["", "docker", "docker:", ":/var/run/docker.sock", "/var/run/docker.sock", "a b:/c", "é:/c"])
  func faults(text: String) {
    let failure = #expect(throws: ToolFailure.self) { try SocketArgument(text) }
    #expect(failure?.status == .usage)
  }

  @Test("Each host has one socket")
  func paths() throws {
    let arguments = [try SocketArgument("a:/1"), try SocketArgument("b:/2")]
    #expect(try SocketArgument.paths(of: arguments) == ["a": "/1", "b": "/2"])
    let failure = #expect(throws: ToolFailure.self) {
      try SocketArgument.paths(of: arguments + [SocketArgument("A:/3")])
    }
    #expect(failure?.status == .usage)
  }
}
