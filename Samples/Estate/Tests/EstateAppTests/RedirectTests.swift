import EstateApp
import Foundation
import Switchyard
import Testing

@Suite("Redirect tables of a file", .timeLimit(.minutes(5)), .server)
final class RedirectTests: ServerTests {
  private static let table = RedirectTable(
    version: 3,
    rules: [
      .redirect(
        "estate://home/{id:int}", to: "https://www.estate.test/homes/by-kind/{kind}",
        values: ["kind": "condo"]),
      .disable("estate://mortgage/quote?price={price:int}&down={down:int?}&years={years:int?}"),
    ])

  private func openssl(_ words: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + words
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(words)")
  }

  /// Signs a table with a new key, whose public key the app trusts.
  private func sign(_ table: RedirectTable, in folder: String) throws -> String {
    let key = folder + "/redirect-private-key.pem"
    let file = folder + "/redirects.json"
    try openssl("genpkey", "-algorithm", "ed25519", "-out", key)
    try openssl("pkey", "-in", key, "-pubout", "-out", folder + "/redirect-key.pem")
    try JSONEncoder().encode(table).write(to: URL(filePath: file))
    try openssl("pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", file, "-out", file + ".sig")
    return file
  }

  @Test("A table with a valid signature redirects URLs and disables a route")
  func signed() async throws {
    let file = try sign(Self.table, in: server.state)
    let shell = try server.shell(console)
    #expect(await shell.open("estate://mortgage/quote?price=300000") == .done)
    #expect(shell.applyRedirects(from: file))
    #expect(
      console.lines.suffix(2) == ["  · redirect table 3 has 2 rules", "  · redirect table 3 is in force"])
    #expect(await shell.open("estate://home/42") == .done)
    #expect(shell.navigator.state.top?.url == "https://www.estate.test/homes/by-kind/condo")
    #expect(
      console.step("estate://home/42").contains {
        $0.contains("leads to https://www.estate.test/homes/by-kind/condo, says redirect table 3")
      })
    #expect(await shell.open("estate://mortgage/quote?price=300000") == .failed("unknown_route"))
  }

  @Test(
    "A changed table, one of another key, one without a signature and a missing one have no effect")
  func refused() async throws {
    let file = try sign(Self.table, in: server.state)
    let shell = try server.shell(console)
    let signature = try Data(contentsOf: URL(filePath: file + ".sig"))
    let signed = try Data(contentsOf: URL(filePath: file))
    try (signed + Data(" ".utf8)).write(to: URL(filePath: file))
    #expect(!shell.applyRedirects(from: file))
    #expect(console.lines.last?.contains("signature is not valid") == true)
    try signed.write(to: URL(filePath: file))
    // Another key signs now; the shell trusts the one it was created with.
    _ = try sign(Self.table, in: server.state)
    #expect(!shell.applyRedirects(from: file))
    for damaged in [Data(), signature.dropLast(), signature + [0]] {
      try damaged.write(to: URL(filePath: file + ".sig"))
      #expect(!shell.applyRedirects(from: file))
    }
    try FileManager.default.removeItem(atPath: file + ".sig")
    #expect(!shell.applyRedirects(from: file))
    #expect(!shell.applyRedirects(from: file + ".none"))
    #expect(console.lines.count == 7 && console.lines.allSatisfy { $0.contains("is not in force") })
    #expect(await shell.open("estate://home/42") == .done)
    #expect(shell.navigator.state.top?.url == "estate://home/42")
  }

  @Test("Without a key the app accepts no table, and a file that is not a key is reported")
  func keys() async throws {
    let file = try sign(Self.table, in: server.state)
    let key = URL(filePath: server.state + "/redirect-key.pem")
    for text in ["", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"] {
      try Data(text.utf8).write(to: key)
      #expect(throws: AppConfigurationFault.redirectKey(key.path)) {
        try AppConfiguration(server: server.url, state: server.state)
      }
    }
    try FileManager.default.removeItem(at: key)
    #expect(try !server.shell(console).applyRedirects(from: file))
    #expect(console.lines.last?.contains("accepts no redirect tables") == true)
  }
}
