import Foundation
import Testing

/// The commands that write, sign, check and compare deployment documents.
@Suite(.timeLimit(.minutes(5))) struct DeployCommandTests {
  private let folder: ScratchFolder

  // Keys of these tests alone.
  init() throws {
    folder = try ScratchFolder()
    try folder.write(
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIKE6KCpD56zQk3KPuKxbcheNzf1JS4o8mo5b51YnWFN0
      -----END PRIVATE KEY-----
      """ + "\n", to: "private.pem")
    try folder.write(
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEAfogB7o93OR+5ESk3/6v9Ay/f+3sGu+fx3GdGE3BC5f4=
      -----END PUBLIC KEY-----
      """ + "\n", to: "public.pem")
    try folder.write("{\"checkout.express\": true}", to: "flags.json")
  }

  private func tool(_ words: String...) async throws -> RunningProgram.Outcome {
    try await RunningProgram([RunningProgram.tool, "deploy"] + words).outcome()
  }

  private func write(_ version: String, to name: String, part: String = "flags=flags.json") async throws {
    let words = part.split(separator: "=")
    let written = try await tool(
      "write", "--version", version, "--from", "1780272000", "--part",
      "\(words[0])=\(folder.path(String(words[1])))",
      "-o", folder.path("draft"))
    #expect(written.status == 0, "\(written)")
    let signed = try await tool(
      "sign", folder.path("draft"), "--key", "2026", "--key-file", folder.path("private.pem"), "-o",
      folder.path(name))
    #expect(signed.status == 0, "\(signed)")
  }

  private func check(_ name: String, at time: String = "1780272001") async throws -> RunningProgram.Outcome {
    try await tool(
      "check", folder.path(name), "--trust", "2026=\(folder.path("public.pem"))", "--at", time)
  }

  @Test("A document is written, signed and checked, and a changed or expired one is refused with 1")
  func documents() async throws {
    try await write("12", to: "document")
    let valid = try await check("document")
    #expect(valid.status == 0 && valid.output == "valid\nversion: 12\npart: flags\n", "\(valid)")
    let expired = try await check("document", at: "1790272001")
    #expect(expired.status == 1 && expired.errors.contains("was valid until"), "\(expired)")
    try folder.write(try folder.text("document").replacing("true", with: "null"), to: "changed")
    let changed = try await check("changed")
    #expect(changed.status == 1 && changed.errors.contains("not valid for the key \"2026\""), "\(changed)")
    try folder.write("{\n\"a\": {}}", to: "bad.json")
    try await write("13", to: "bad", part: "flags=bad.json")
    let bad = try await check("bad")
    #expect(
      bad.status == 1 && bad.errors.contains("Deployment document 13, part \"flags\", line 2"), "\(bad)")
  }

  @Test("Two documents are compared, and a difference is 1")
  func compare() async throws {
    try await write("12", to: "old")
    try folder.write("{\"checkout.express\": false}", to: "flags.json")
    try await write("13", to: "new")
    let same = try await tool("compare", folder.path("new"), folder.path("draft"))
    #expect(same.status == 0 && same.output.isEmpty, "\(same)")
    let changed = try await tool("compare", folder.path("old"), folder.path("new"))
    #expect(changed.status == 1)
    #expect(
      changed.output.contains("~ version: 12 → 13\n") && changed.output.contains("false}"), "\(changed)")
  }

  @Test("Wrong arguments are named")
  func arguments() async throws {
    let noFile = try await tool("write", "--version", "1", "--part", "flags")
    #expect(noFile.status == 64 && noFile.errors.contains("--part needs NAME=FILE"), "\(noFile)")
    let version = try await tool("write", "--version", "0")
    #expect(version.status == 3 && version.errors.contains("at least 1"), "\(version)")
    try await write("12", to: "document")
    let key = try await tool(
      "sign", folder.path("draft"), "--key", "2026", "--key-file", folder.path("public.pem"))
    #expect(key.status == 3 && key.errors.contains("not an Ed25519 key"), "\(key)")
    let trust = try await tool(
      "check", folder.path("document"), "--trust", "2026=\(folder.path("flags.json"))")
    #expect(trust.status == 64, "\(trust)")
  }
}
