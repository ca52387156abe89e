import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct UploadTests {
  private func file(in folder: ScratchFolder) throws -> String {
    try Data(Nginx.big).write(to: URL(filePath: folder.path("big.bin")))
    return folder.path("big.bin")
  }

  @Test("A file arrives whole in parts, with its metadata, and leaves no record")
  func whole() async throws {
    let server = try await TusServer()
    let folder = try ScratchFolder()
    let path = try file(in: folder)
    let outcome = try await RunningProgram.tool(
      "upload", path, server.url, "--chunk", "1048576", "--metadata", "filename=big.bin", "--trace",
      in: folder)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(server.stored == Nginx.big)
    #expect(try server.folder.text("metadata") == "filename YmlnLmJpbg==")
    #expect(outcome.errors.components(separatedBy: "→ 204").count == 5)
    #expect(folder.names == ["big.bin"])
  }

  @Test("After the server was killed the next run sends what is missing")
  func resumed() async throws {
    let server = try await TusServer(stallingAfter: 1 << 20)
    let folder = try ScratchFolder()
    let words = ["upload", try file(in: folder), server.url, "--retry", "0"]
    let program = try RunningProgram([RunningProgram.tool] + words)
    try await program.wait(until: "the server has stored 1 MiB") { server.stored.count >= 1 << 20 }
    server.kill()
    let outcome = try await program.outcome()
    #expect(outcome.status != 0, "\(outcome)")
    #expect(!outcome.errors.contains("secret-1"))
    #expect(folder.exists("big.bin.upload"))
    let before = server.stored.count
    #expect(before < Nginx.big.count)
    try await server.start()
    let second = try await RunningProgram([RunningProgram.tool] + words + ["--trace"]).outcome()
    #expect(second.status == 0, "\(second)")
    #expect(second.errors.contains("HEAD"))
    #expect(server.stored == Nginx.big)
    #expect(folder.names == ["big.bin"])
  }

  @Test("An unfinished upload is removed from the server and here")
  func discarded() async throws {
    let server = try await TusServer(stallingAfter: 1 << 20)
    let folder = try ScratchFolder()
    let words = ["upload", try file(in: folder), server.url]
    let program = try RunningProgram([RunningProgram.tool] + words)
    try await program.wait(until: "the server has stored 1 MiB") { server.stored.count >= 1 << 20 }
    program.send(SIGINT)
    #expect(try await program.outcome().status == 130)
    let outcome = try await RunningProgram([RunningProgram.tool] + words + ["--discard"]).outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!server.folder.exists("content"))
    #expect(folder.names == ["big.bin"])
  }

  @Test("A server of another kind, a missing file and wrong options have their statuses")
  func refused() async throws {
    let (server, url) = try await ServerProgram.answering(
      #"b"HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n""#, log: "/dev/null")
    let folder = try ScratchFolder()
    let path = try file(in: folder)
    #expect(try await RunningProgram.tool("upload", path, url, in: folder).status == 22)
    #expect(folder.names == ["big.bin"])
    #expect(try await RunningProgram.tool("upload", folder.path("none"), url, in: folder).status == 26)
    #expect(try await RunningProgram.tool("upload", path, url, "--chunk", "0", in: folder).status == 64)
    let wrong = ["--protocol", "http", "--metadata", "a=b"]
    #expect(
      try await RunningProgram([RunningProgram.tool, "upload", path, url] + wrong).outcome().status == 64)
    server.stop()
  }
}
