import Foundation
import Testing

@Suite(.enabled(if: Nginx.runsSuites, "nginx is not installed"), .timeLimit(.minutes(5))) struct DownloadTests
{
  @Test(
    "A download ends with the whole file and a line, in a pipe too, and the next one asks for another version only"
  )
  func whole() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let first = try await RunningProgram.tool("download", server.url + "/big.bin?x=1", in: folder)
    #expect(first.description == "exit 0\n\nswitchyard: big.bin, 4.0 MiB\n")
    #expect(try folder.bytes("big.bin") == Nginx.big)
    let second = try await RunningProgram.tool("download", server.url + "/big.bin?x=1", "--trace", in: folder)
    #expect(second.status == 0, "\(second)")
    #expect(second.errors.contains("→ 304"))
    #expect(try folder.bytes("big.bin") == Nginx.big)
  }

  @Test("After the server was killed the next run continues where the file ended")
  func resumed() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let words = ["download", server.url + "/slow.bin", "-o", folder.path("file"), "--retry", "0"]
    let program = try RunningProgram([RunningProgram.tool] + words)
    try await program.wait(until: "100 kB are stored") { folder.size("file.part") > 100_000 }
    server.kill()
    let outcome = try await program.outcome()
    #expect([18, 56].contains(outcome.status), "\(outcome)")
    #expect(!folder.exists("file"))
    let count = try folder.bytes("file.part").count
    #expect(count > 100_000 && count < Nginx.big.count)
    try await server.start()
    // The same file without the limit of its rate.
    let quick = server.folder.path("nginx.conf")
    let configuration = try String(contentsOfFile: quick, encoding: .utf8)
    try configuration.replacing("limit_rate 200k;", with: "").write(
      toFile: quick, atomically: true, encoding: .utf8)
    server.kill()
    try await server.start()
    let second = try await RunningProgram([RunningProgram.tool] + words + ["--trace"]).outcome()
    #expect(second.status == 0, "\(second)")
    #expect(second.errors.contains("→ 206"))
    #expect(try folder.bytes("file") == Nginx.big)
    #expect(folder.names.filter { $0.contains("part") }.isEmpty)
  }

  @Test("An interruption leaves only what the next run resumes")
  func interrupted() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let program = try RunningProgram([
      RunningProgram.tool, "download", server.url + "/slow.bin", "-o", folder.path("file"),
    ])
    try await program.wait(until: "the first bytes are stored") { folder.size("file.part") > 0 }
    program.send(SIGINT)
    #expect(try await program.outcome().status == 130)
    #expect(folder.names == ["file.part", "file.part.info"])
  }

  @Test("A file with the wrong digest never gets its name, and one with the right digest is not requested")
  func digest() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let right = try await RunningProgram(["/usr/bin/sha256sum", server.folder.path("root/hello.txt")])
      .outcome()
    let digits = String(right.output.prefix(64))
    let wrong = String(repeating: "0", count: 64)
    let url = server.url + "/hello.txt"
    let refused = try await RunningProgram.tool("download", url, "--sha256", wrong, in: folder)
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors.contains("The SHA-256 of the file is not the expected one"))
    #expect(!folder.exists("hello.txt"))
    #expect(
      try await RunningProgram.tool("download", url, "--sha256", digits.uppercased(), in: folder).status == 0)
    #expect(try folder.text("hello.txt") == "hello\n")
    server.kill()
    #expect(try await RunningProgram.tool("download", url, "--sha256", digits, in: folder).status == 0)
  }

  @Test("A large file in parts is whole, and its digest is right")
  func parts() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let right = try await RunningProgram(["/usr/bin/sha256sum", server.folder.path("root/big.bin")]).outcome()
    let outcome = try await RunningProgram.tool(
      "download", server.url + "/big.bin", "--parts", "3", "--sha256", String(right.output.prefix(64)),
      "--trace", in: folder)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errors.components(separatedBy: "→ 206").count > 2)
    #expect(try folder.bytes("big.bin") == Nginx.big)
    #expect(folder.names == ["big.bin"] || folder.names == [".big.bin.version", "big.bin"])
    let wrong = try await RunningProgram.tool("download", server.url + "/big.bin", "--parts", "0", in: folder)
    #expect(wrong.status == 64)
  }

  @Test("A status that is no content is 22, a folder is 23, and neither leaves a file")
  func refused() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    #expect(try await RunningProgram.tool("download", server.url + "/nothing", in: folder).status == 22)
    #expect(
      try await RunningProgram.tool("download", server.url + "/hello.txt", "-o", folder.path).status == 23)
    #expect(!folder.exists("nothing"))
  }

  @Test("A terminal shows a bar, and the end in a line")
  func bar() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let outcome = try await RunningProgram.onTerminal("download", server.url + "/big.bin", in: folder)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("% "))
    #expect(outcome.output.contains("switchyard: big.bin, 4.0 MiB"))
    #expect(try folder.bytes("big.bin") == Nginx.big)
  }
}
