import Foundation
import Testing

/// The commands that send nothing.
@Suite(.timeLimit(.minutes(5))) struct DocumentCommandTests {
  private static let key = ["SWITCHYARD_SIGNING_KEY": "demo:0123456789abcdef-secret"]

  /// The manifest of the sample beside this one.
  private static let manifest = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Estate/Manifest/routes.json").standardizedFileURL.path

  @Test("A signed request is verified, and a changed one, another key and an old one are not")
  func signing() async throws {
    let folder = try ScratchFolder()
    let message = try await RunningProgram.tool(
      "sign", "POST", "https://api.test/houses?a=b", "--json", #"{"a":1}"#, "--api", "estate/houses.list",
      "--message",
      environment: Self.key)
    #expect(message.status == 0, "\(message)")
    #expect(!message.output.contains("secret"))
    let valid = try await RunningProgram.tool("verify", input: message.output, environment: Self.key)
    #expect(valid.status == 0, "\(valid)")
    #expect(valid.output.hasPrefix("valid\nkey: demo\ntime: 20"))
    #expect(valid.output.contains("api: estate/houses.list\ncovered fields: "))
    let changed = message.output.replacing(#"{"a":1}"#, with: #"{"a":2}"#)
    let refused = try await RunningProgram.tool("verify", input: changed, environment: Self.key)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("does not match"))
    try folder.write("demo:hex:000102030405060708090a0b0c0d0e0f\n", to: "key")
    let other = try await RunningProgram.tool(
      "verify", "-", "--key-file", folder.path("key"), input: message.output)
    #expect(other.status == 1)
    let time = try #require(message.output.firstMatch(of: /Switchyard-Time: ([0-9]+)/))
    let old = message.output.replacing(time.0, with: "Switchyard-Time: \((Int(time.1) ?? 0) - 900)")
    #expect(
      try await RunningProgram.tool("verify", input: old, environment: Self.key).errors.contains(
        "s off the server's"))
    #expect(try await RunningProgram.tool("verify", input: "nonsense", environment: Self.key).status == 3)
  }

  @Test("The fields of a signature are those that the message has, and curl can read them")
  func fields() async throws {
    let fields = try await RunningProgram.tool("sign", "GET", "https://api.test/", environment: Self.key)
    #expect(
      fields.output.split(separator: "\n").map { $0.prefix { $0 != ":" } } == [
        "Switchyard-Key", "Switchyard-Time", "Switchyard-Nonce", "Switchyard-Signature",
      ])
    let unset = try await RunningProgram.tool(
      "sign", "GET", "https://api.test/", environment: ["SWITCHYARD_SIGNING_KEY": ""])
    #expect(unset.status == 64)
    #expect(unset.errors.contains("--key-file"))
  }

  @Test("The routes of a manifest are listed and drawn, and a difference is status 1")
  func routes() async throws {
    let folder = try ScratchFolder()
    let list = try await RunningProgram.tool("routes", Self.manifest)
    #expect(list.status == 0, "\(list)")
    #expect(list.output.hasPrefix("Estate: 37 routes of 7 modules\n"))
    #expect(
      try await RunningProgram.tool("routes", Self.manifest, "--svg", folder.path("routes.svg")).status == 0)
    let drawn = URL(filePath: Self.manifest).deletingLastPathComponent().appending(path: "routes.svg")
    #expect(try folder.text("routes.svg") == String(contentsOf: drawn, encoding: .utf8))
    let same = try await RunningProgram.tool("routes", "--diff", Self.manifest, Self.manifest)
    #expect(same.description == "exit 0\n\n")
    let text = try String(contentsOfFile: Self.manifest, encoding: .utf8)
    try folder.write(text.replacing("estate://favourites\"", with: "estate://stars\""), to: "new.json")
    let changed = try await RunningProgram.tool("routes", "--diff", Self.manifest, folder.path("new.json"))
    #expect(changed.status == 1)
    #expect(changed.output.contains("    URL: estate://favourites → estate://stars\n"))
    try folder.write("{}", to: "none.json")
    #expect(try await RunningProgram.tool("routes", folder.path("none.json")).status == 26)
  }
}
