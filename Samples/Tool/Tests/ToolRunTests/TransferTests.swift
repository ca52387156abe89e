import Foundation
import Testing

/// The commands that send one request, beside curl.
@Suite(.enabled(if: HTTPBin.runsSuites, "httpbin is not installed"), .timeLimit(.minutes(5)))
struct TransferTests {
  @Test("The bytes of a response are those that curl writes")
  func sameBytes() async throws {
    let server = try await HTTPBin()
    for path in [
      "/bytes/5000?seed=7", "/encoding/utf8", "/image/png", "/gzip", "/deflate", "/redirect/3", "/status/404",
    ] {
      // The server's echo has the name of the client.
      let agent = "User-Agent: test"
      let tool = try await RunningProgram.tool("get", server.url + path, "-H", agent)
      let curl = try await RunningProgram.curl("-L", "--compressed", server.url + path, "-H", agent)
      #expect(tool.status == curl.status)
      #expect(Self.comparable(tool.bytes) == Self.comparable(curl.bytes), "\(path)")
    }
  }

  @Test("A content that waits for the server arrives, and the request says that it waits")
  func expectation() async throws {
    let server = try await HTTPBin()
    let outcome = try await RunningProgram.tool(
      "post", server.url + "/post", "--json", #"{"a": 1}"#, "--expect-continue", "0.05")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("100-continue"))
    #expect(outcome.output.contains(#""json":{"a":1}"#))
    let wrong = try await RunningProgram.tool("post", server.url + "/post", "--expect-continue", "0")
    #expect(wrong.status == 64)
  }

  @Test("JSON, files and forms arrive as curl sends them")
  func content() async throws {
    let server = try await HTTPBin()
    let folder = try ScratchFolder()
    try folder.write(#"{"from": "a file"}"#, to: "body.json")
    try folder.write("file content\r\n\u{0}", to: "body.bin")
    let (json, binary) = (folder.path("body.json"), folder.path("body.bin"))
    let cases: [(tool: [String], curl: [String], input: String)] = [
      (["--json", #"{"a": [1, 2]}"#], ["--json", #"{"a": [1, 2]}"#], ""),
      (["--json", "@\(json)"], ["--json", "@\(json)"], ""),
      (["--json", "-"], ["--json", "@-"], #"{"from": "input"}"#),
      (
        ["--file", binary], ["--data-binary", "@\(binary)", "-H", "Content-Type: application/octet-stream"],
        ""
      ),
      (
        ["--file", "-"], ["--data-binary", "@-", "-H", "Content-Type: application/octet-stream"], "from input"
      ),
      (
        ["--form", "a=1 & 2", "--form", "b=ü"], ["--data-urlencode", "a=1 & 2", "--data-urlencode", "b=ü"], ""
      ),
      (["--form", "a=1", "--form", "f=@\(binary)"], ["-F", "a=1", "-F", "f=@\(binary)"], ""),
      (
        ["--file", binary, "-H", "Content-Type: text/x"],
        ["--data-binary", "@\(binary)", "-H", "Content-Type: text/x"], ""
      ),
    ]
    for (tool, curl, input) in cases {
      let ours = try await RunningProgram(
        [RunningProgram.tool, "post", server.url + "/post"] + tool, input: Array(input.utf8)
      ).outcome()
      let theirs = try await RunningProgram(
        ["/usr/bin/curl", "-q", "-sS", server.url + "/post"] + curl, input: Array(input.utf8)
      ).outcome()
      #expect(ours.status == 0, "\(ours)")
      #expect(try Self.received(ours.bytes) == Self.received(theirs.bytes), "\(tool)")
    }
  }

  @Test("A method and a body of choice are sent, header fields too, also from a file")
  func send() async throws {
    let server = try await HTTPBin()
    let folder = try ScratchFolder()
    try folder.write("# secrets\nX-Token: of a file\n", to: "fields")
    let outcome = try await RunningProgram.tool(
      "send", "PUT", server.url + "/put", "--json", "[1]", "-H", "X-Own: a: b", "-H", "X-Empty;", "-H",
      "@" + folder.path("fields"))
    let echo = try #require(try JSONSerialization.jsonObject(with: Data(outcome.bytes)) as? [String: Any])
    let headers = try #require(echo["headers"] as? [String: String])
    #expect(headers["X-Own"] == "a: b")
    #expect(headers["X-Empty"] == "")
    #expect(headers["X-Token"] == "of a file")
    #expect(headers["Content-Type"] == "application/json")
    #expect(echo["data"] as? String == "[1]")
  }

  @Test("Cookies with an expiry are kept in a file, listed without their values, and removed")
  func cookies() async throws {
    let server = try await HTTPBin()
    let folder = try ScratchFolder()
    let jar = folder.path("jar")
    let set = "/response-headers?Set-Cookie=session%3Dsecretvalue%3B%20Max-Age%3D1000%3B%20Path%3D%2F"
    #expect(try await RunningProgram.tool("get", server.url + set, "--cookies", jar).status == 0)
    let sent = try await RunningProgram.tool("get", server.url + "/cookies", "--cookies", jar)
    #expect(sent.output.contains("secretvalue"))
    let list = try await RunningProgram.tool("cookies", jar)
    #expect(list.output.hasPrefix("session  127.0.0.1/  http and https, until 20"))
    #expect(!list.output.contains("secretvalue"))
    #expect(try await RunningProgram.tool("cookies", jar, "--clear").errors.contains("1 cookie removed"))
    #expect(try await RunningProgram.tool("cookies", jar).output == "")
  }

  @Test("A file that is no cookie file is refused, and not replaced")
  func foreignCookies() async throws {
    let server = try await HTTPBin()
    let folder = try ScratchFolder()
    try folder.write("# Netscape HTTP Cookie File\n", to: "jar")
    let outcome = try await RunningProgram.tool("get", server.url + "/get", "--cookies", folder.path("jar"))
    #expect(outcome.status == 26)
    #expect(outcome.errors.contains("is no cookie file"))
    #expect(try folder.text("jar") == "# Netscape HTTP Cookie File\n")
  }

  @Test("A run reports its rate, percentiles, statuses and a histogram, and fails if there is no response")
  func bench() async throws {
    let server = try await HTTPBin()
    let outcome = try await RunningProgram.tool("bench", server.url + "/bytes/100", "-n", "30", "-c", "3")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.hasPrefix("30 requests in "))
    #expect(outcome.output.contains("statuses: 200 × 30\n"))
    #expect(outcome.output.contains(" p99 "))
    #expect(outcome.output.contains("█"))
    let closed = try Loopback.freePorts(1)[0]
    let refused = try await RunningProgram.tool(
      "bench", "http://127.0.0.1:\(closed)/", "-n", "5", "--connect-timeout", "2")
    #expect(refused.status == 7)
  }

  @Test("An interrupted run reports what it has measured")
  func interruptedBench() async throws {
    let folder = try ScratchFolder()
    let port = try Loopback.freePorts(1)[0]
    // After three responses it keeps the next request waiting, and says so by a file.
    let code = """
      import socket
      server = socket.create_server(("127.0.0.1", \(port)))
      open_connections, count = [], 0
      while True:
        connection, _ = server.accept()
        if not connection.recv(9999): continue
        count += 1
        if count <= 3:
          connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
          connection.close()
        else:
          open_connections.append(connection)
          open("\(folder.path("waiting"))", "w").close()
      """
    let server = try await ServerProgram(
      ["/usr/bin/python3", "-c", code], ports: [port], log: folder.path("log"))
    let program = try RunningProgram([
      RunningProgram.tool, "bench", "http://127.0.0.1:\(port)/", "-n", "50", "-c", "1",
    ])
    try await program.wait(until: "the program waits") { folder.exists("waiting") }
    program.send(SIGINT)
    let outcome = try await program.outcome()
    #expect(outcome.status == 130)
    #expect(outcome.output.hasPrefix("2 requests in "))
    #expect(outcome.output.contains("interrupted: 48 requests were not made\nstatuses: 200 × 2\n"))
    server.stop()
  }

  /// The echo of httpbin, without what differs by client and connection.
  private static func comparable(_ bytes: [UInt8]) -> [UInt8] {
    guard var echo = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else {
      return bytes
    }
    echo["headers"] = nil
    let data = try? JSONSerialization.data(withJSONObject: echo, options: .sortedKeys)
    return data.map { [UInt8]($0) } ?? bytes
  }

  /// What httpbin received of a body.
  private static func received(_ bytes: [UInt8]) throws -> String {
    let echo = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let headers = try #require(echo["headers"] as? [String: String])
    let type = (headers["Content-Type"] ?? "").split(separator: ";").first ?? ""
    let parts = try ["data", "json", "form", "files"].map { name in
      let part = try JSONSerialization.data(
        withJSONObject: echo[name] ?? "", options: [.sortedKeys, .fragmentsAllowed])
      return "\(name)=\(String(decoding: part, as: UTF8.self))"
    }
    return "\(type) \(parts)"
  }
}
