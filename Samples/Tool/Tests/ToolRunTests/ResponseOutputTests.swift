import Foundation
import Testing

/// What is written where: content, heads, the waterfall, archives, notes of the cache.
@Suite(.enabled(if: Nginx.runsSuites, "nginx is not installed"), .timeLimit(.minutes(5)))
struct ResponseOutputTests {
  @Test("The head is written before the content, as curl writes it")
  func include() async throws {
    let server = try await Nginx()
    let plain = try await RunningProgram.tool(
      "get", "-i", server.url + "/hello.txt", "-H", "Accept-Encoding: identity")
    let curl = try await RunningProgram.curl("-i", server.url + "/hello.txt")
    // The two may be sent in different seconds.
    let date = /Date: [^\r]*/
    #expect(plain.output.contains(date))
    #expect(plain.output.replacing(date, with: "Date") == curl.output.replacing(date, with: "Date"))
    let secure = try await RunningProgram.tool(
      "get", "-i", server.secureURL + "/hello.txt", "--cacert", server.authority)
    #expect(secure.output.hasPrefix("HTTP/2 200\r\n"))
    #expect(secure.output.hasSuffix("\r\n\r\nhello\n"))
  }

  @Test("A redirect is followed by default, and is the result with --no-redirects; another scheme is refused")
  func redirects() async throws {
    let server = try await Nginx()
    #expect(try await RunningProgram.tool("get", server.url + "/hops").output == "hello\n")
    let redirect = try await RunningProgram.tool("get", "-i", server.url + "/hops", "--no-redirects")
    #expect(redirect.status == 0)
    #expect(redirect.output.hasPrefix("HTTP/1.1 302 "))
    let away = try await RunningProgram.tool("get", server.url + "/away")
    #expect(away.status == 1)
    #expect(away.errors.contains("\"ftp\""))
  }

  @Test("A waterfall on standard error has phases, hops and attempts, and no secret")
  func trace() async throws {
    let server = try await Nginx()
    let outcome = try await RunningProgram.tool(
      "get", server.secureURL + "/moved?key=secret-of-query", "--cacert", server.authority, "--trace", "-H",
      "Authorization: Bearer secret-of-field")
    #expect(outcome.output == "hello\n")
    for word in [
      "queue", "name", "connect", "tls", "first byte", "last byte", "302", "redirected to", "1 redirect",
      "HTTP/2",
    ] {
      #expect(outcome.errors.contains(word), "\(word)")
    }
    #expect(!outcome.errors.contains("secret"))
    #expect(!outcome.errors.contains("\u{1B}"))
    let busy = try await RunningProgram.tool("get", server.url + "/busy", "--retry", "1", "--trace")
    #expect(busy.errors.contains("attempt 2: GET"))
    #expect(busy.errors.contains("not retried: no_attempts_left"))
    let shown = try await RunningProgram.tool(
      "get", server.url + "/hello.txt?page=7&key=secret", "--trace", "--show-query", "page")
    #expect(shown.errors.contains("?page=7&key=██"))
  }

  @Test("An archive has every exchange and no secret, also if the request fails, and advise reads it")
  func archive() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    let outcome = try await RunningProgram.tool(
      "get", server.url + "/moved?key=secret-of-query", "--har", folder.path("run.har"), "-H",
      "X-Token: secret-of-field")
    #expect(outcome.status == 0)
    let text = try folder.text("run.har")
    #expect(!text.contains("secret"))
    let archive = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let log = try #require(archive["log"] as? [String: Any])
    #expect((log["entries"] as? [Any])?.count == 2)
    #expect((log["creator"] as? [String: String])?["name"] == "switchyard")
    let advice = try await RunningProgram.tool("advise", folder.path("run.har"))
    #expect(advice.status == 0, "\(advice)")
    #expect(advice.output.hasPrefix("2 requests"))
    #expect(advice.errors.contains("hides values of queries"))
    let failed = try await RunningProgram.tool(
      "get", server.url + "/silent", "--har", folder.path("failed.har"))
    #expect(failed.status == 52)
    #expect(try folder.text("failed.har").contains("transport"))
  }

  @Test("The cache says whether a response was stored, used or confirmed")
  func cache() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    func get(_ path: String) async throws -> RunningProgram.Outcome {
      try await RunningProgram.tool("get", server.url + path, "--cache", folder.path("cache"))
    }
    #expect(
      try await get("/cached.txt").errors
        == "switchyard: cache: stored; nothing had been stored for the URL before\n")
    let hit = try await get("/cached.txt")
    #expect(hit.output == "hello\n")
    #expect(hit.errors.hasPrefix("switchyard: cache: hit, fresh for another "))
    #expect(try await get("/revalidated.txt").errors.contains("cache: stored"))
    let confirmed = try await get("/revalidated.txt")
    #expect(confirmed.errors.contains("cache: revalidated"))
    #expect(confirmed.output == "hello\n")
    server.kill()
    #expect(try await get("/cached.txt").output == "hello\n")
    #expect(try await get("/revalidated.txt").status == 7)
  }

  @Test("Addresses of the command line are used, and the certificate is still that of the host")
  func resolve() async throws {
    let server = try await Nginx()
    let url = server.secureURL.replacing("localhost", with: "api.estate.test") + "/hello.txt"
    let outcome = try await RunningProgram.tool(
      "get", url, "--cacert", server.authority, "--resolve", "api.estate.test:127.0.0.1", "--trace")
    #expect(outcome.output == "hello\n")
    #expect(outcome.errors.contains("address from --resolve"))
    let other = server.secureURL.replacing("localhost", with: "other.test") + "/hello.txt"
    let refused = try await RunningProgram.tool(
      "get", other, "--cacert", server.authority, "--resolve", "other.test:127.0.0.1")
    #expect(refused.status == 60)
  }

  @Test("A file has its name only when it is complete: after an interruption nothing is left")
  func interrupted() async throws {
    let server = try await Nginx()
    let folder = try ScratchFolder()
    try folder.write("old", to: "file")
    let program = try RunningProgram([
      RunningProgram.tool, "get", server.url + "/slow.bin", "-o", folder.path("file"),
    ])
    try await program.wait(until: "the folder has two files") { folder.names.count == 2 }
    program.send(SIGINT)
    let outcome = try await program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.errors == "switchyard: interrupted\n")
    #expect(folder.names == ["file"])
    #expect(try folder.text("file") == "old")
    #expect(
      try await RunningProgram.tool("get", server.url + "/nothing", "--fail", "-o", folder.path("other"))
        .status == 22)
    #expect(folder.names == ["file"])
    #expect(
      try await RunningProgram.tool("get", server.url + "/big.bin", "-o", folder.path("file")).status == 0)
    #expect(try folder.bytes("file") == Nginx.big)
  }

  @Test("A reader that closes its pipe ends the program quietly, with the status of curl")
  func closedPipe() async throws {
    let server = try await Nginx()
    let outcome = try await RunningProgram.shell(
      #""$TOOL" get \#(server.url)/big.bin | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}""#)
    #expect(outcome.output == "23\n")
    #expect(outcome.errors == "")
  }

  @Test("Colours are for terminals only, and NO_COLOR turns them off; binary content is kept from a terminal")
  func colours() async throws {
    let server = try await Nginx()
    let url = server.url + "/hello.txt"
    #expect(try await RunningProgram.onTerminal("get", url, "--trace").output.contains("\u{1B}[1mGET"))
    let plain = try await RunningProgram.onTerminal("get", url, "--trace", environment: ["NO_COLOR": "1"])
    #expect(!plain.output.contains("\u{1B}"))
    let binary = try await RunningProgram.onTerminal("get", server.url + "/big.bin")
    #expect(binary.status == 23)
    #expect(binary.output.contains("write it to a file with -o FILE"))
  }

  @Test("Control characters of a header field reach a pipe, but no terminal")
  func controlCharacters() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await ServerProgram.answering(
      #"b"HTTP/1.1 200 OK\r\nX-Evil: a\xc2\x9b2Jb\r\nContent-Length: 2\r\n\r\nok""#, log: folder.path("log"))
    let piped = try await RunningProgram.tool("get", "-i", url)
    #expect(piped.output.contains("X-Evil: a\u{9B}2Jb"))
    let shown = try await RunningProgram.onTerminal("get", "-i", url, "--color", "never")
    #expect(shown.status == 0)
    #expect(shown.output.contains("X-Evil: a\\u{9B}2Jb"))
    #expect(!shown.output.contains("\u{9B}"))
    server.stop()
  }
}
