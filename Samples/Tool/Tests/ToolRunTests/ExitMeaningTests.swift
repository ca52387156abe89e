import Foundation
import Testing

/// The exit status beside curl's, for what can go wrong.
@Suite(.enabled(if: Nginx.runsSuites, "nginx is not installed"), .timeLimit(.minutes(5)))
struct ExitMeaningTests {
  @Test("Failures of the network and of HTTP have curl's status and a sentence")
  func failures() async throws {
    let server = try await Nginx()
    let closed = try Loopback.freePorts(1)[0]
    let cases: [(url: String, tool: [String], curl: [String], status: Int32)] = [
      ("\(server.url)/hello.txt", [], [], 0),
      ("\(server.url)/nothing", [], [], 0),
      ("\(server.url)/nothing", ["--fail"], ["--fail"], 22),
      ("\(server.url)/busy", ["-f", "--retry", "1"], ["-f"], 22),
      ("http://127.0.0.1:\(closed)/", [], [], 7),
      ("http://no-such-host.invalid/", [], [], 6),
      ("http://exa mple.com/", [], [], 3),
      ("\(server.secureURL)/hello.txt", [], [], 60),
      ("\(server.secureURL)/hello.txt", ["--cacert", server.authority], ["--cacert", server.authority], 0),
      (
        server.secureURL.replacing("localhost", with: "127.0.0.1"), ["--cacert", server.authority],
        ["--cacert", server.authority], 60
      ),
      (server.url.replacing("http:", with: "https:"), [], [], 35),
      ("\(server.url)/slow.bin", ["--timeout", "0.4"], ["-m", "0.4"], 28),
      ("\(server.url)/hops", ["--max-redirects", "2"], ["-L", "--max-redirs", "2"], 47),
      ("\(server.url)/loop", [], ["-L"], 47),
      ("\(server.url)/silent", [], [], 52),
      ("\(server.url)/hello.txt", ["-o", "/dev/full"], ["-o", "/dev/full"], 23),
      ("\(server.url)/hello.txt", ["-o", "/nonexistent/file"], ["-o", "/nonexistent/file"], 23),
    ]
    for (url, tool, curl, status) in cases {
      let ours = try await RunningProgram([RunningProgram.tool, "get", url] + tool).outcome()
      let theirs = try await RunningProgram(["/usr/bin/curl", "-q", "-sS", url] + curl).outcome()
      #expect(ours.status == status, "\(url) \(tool): \(ours.errors)")
      #expect(theirs.status == status, "\(url) \(curl): \(theirs.errors)")
      #expect(ours.errors.isEmpty == (status == 0), "\(url) \(tool): \(ours.errors)")
      if status != 0 { #expect(ours.errors.hasPrefix("switchyard: ")) }
    }
  }

  @Test("A host that is named for HTTP/2 without TLS gets nothing else, and the error says what to do")
  func priorKnowledge() async throws {
    let server = try await Nginx()
    let outcome = try await RunningProgram.tool("get", server.url + "/hello.txt", "--http2-host", "127.0.0.1")
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains("--http2-host"), "\(outcome)")
    #expect(try await RunningProgram.tool("get", server.url + "/hello.txt").status == 0)
  }

  @Test("With --http3 a libcurl without HTTP/3 sends nothing over TLS, and the error says what to do")
  func http3() async throws {
    let outcome = try await RunningProgram.tool("get", "https://127.0.0.1:1/", "--http3", "--explain")
    #expect(outcome.status != 0)
    // One that has HTTP/3 finds no server.
    let isMissing = outcome.errors.contains("without HTTP/3")
    #expect(outcome.errors.contains(isMissing ? "leave out --http3" : "127.0.0.1:1"), "\(outcome)")
    #expect(!outcome.errors.contains("HTTP3Use"))
    let server = try await Nginx()
    #expect(try await RunningProgram.tool("get", server.url + "/hello.txt", "--http3").status == 0)
  }

  @Test("A host is reached over its Unix domain socket, and a redirect to another one is not")
  func socket() async throws {
    let server = try await Nginx()
    let option = ["--unix-socket", "local:\(server.socket)"]
    let ours = try await RunningProgram.tool("get", "http://LOCAL/hello.txt", option[0], option[1])
    let theirs = try await RunningProgram.curl("http://local/hello.txt", option[0], server.socket)
    #expect(ours.status == 0, "\(ours)")
    #expect(ours.output == "hello\n")
    #expect(theirs.output == ours.output)
    let redirected = try await RunningProgram.tool("get", "http://local/tcp", option[0], option[1], "--trace")
    #expect(redirected.output == "hello\n", "\(redirected)")
    #expect(redirected.errors.contains("redirected to GET http://127.0.0.1:"))

    server.kill()
    let refused = try await RunningProgram.tool("get", "http://local/hello.txt", option[0], option[1])
    #expect(refused.status == 7, "\(refused)")
    #expect(refused.errors.contains(server.socket))
    let long = String(repeating: "a", count: 108)
    let unusable = try await RunningProgram.tool("get", "http://local/", option[0], "local:/\(long)")
    #expect(unusable.status == 3, "\(unusable)")
  }

  @Test("A proxy of the command line or of the environment carries the request, as with curl")
  func proxies() async throws {
    let folder = try ScratchFolder()
    let (server, proxy) = try await ServerProgram.answering(
      #"b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(line), line)"#, log: folder.path("log"))
    let url = "http://site.invalid/a"
    let get = [RunningProgram.tool, "get", url]
    func run(_ arguments: [String], _ variables: String...) async throws -> RunningProgram.Outcome {
      try await RunningProgram(["/usr/bin/env"] + variables + arguments).outcome()
    }
    let theirs = try await RunningProgram.curl(url, "-x", proxy)
    #expect(theirs.output == "GET http://site.invalid/a HTTP/1.1")
    #expect(try await run(get + ["--proxy", proxy]).output == theirs.output)
    #expect(try await run(get + ["--env-proxies"], "http_proxy=\(proxy)").output == theirs.output)
    #expect(try await run(get + ["--env-proxies"], "all_proxy=\(proxy.dropFirst(7))").output == theirs.output)
    // Without the option, and for an excepted host, the name is looked up.
    #expect(try await run(get, "http_proxy=\(proxy)").status == 6)
    let excepted = try await run(get + ["--env-proxies"], "http_proxy=\(proxy)", "no_proxy=invalid")
    #expect(excepted.status == 6, "\(excepted)")
    let wrong = try await run(get + ["--env-proxies"], "http_proxy=socks4://ann:secret@127.0.0.1")
    #expect(wrong.status == 64 && wrong.errors.contains("http_proxy") && !wrong.errors.contains("secret"))
    server.stop()
  }

  @Test("A body that ends early is status 18, and no file remains")
  func partial() async throws {
    let folder = try ScratchFolder()
    let (server, url) = try await ServerProgram.answering(
      #"b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart""#, log: folder.path("log"))
    let ours = try await RunningProgram.tool("get", url, "-o", folder.path("file"))
    let theirs = try await RunningProgram.curl(url)
    #expect(ours.status == 18)
    #expect(theirs.status == 18)
    #expect(folder.names == ["log"])
    server.stop()
  }

  @Test(
    "A wrong command line is status 64, before anything is sent",
    arguments: [
      ["get"], ["get", "--no-such-option", "http://127.0.0.1:1/"], ["fetch", "http://127.0.0.1:1/"],
      ["get", "http://127.0.0.1:1/", "-H", "X-A: b\r\nX-B: c"],
      ["get", "http://127.0.0.1:1/", "-H", "no field"],
      ["get", "http://127.0.0.1:1/", "--resolve", "a.test"],
      ["get", "http://127.0.0.1:1/", "--unix-socket", "/var/run/docker.sock"],
      ["get", "http://127.0.0.1:1/", "--proxy", "ftp://127.0.0.1"],
      ["get", "http://127.0.0.1:1/", "--proxy", "127.0.0.1:9", "--env-proxies"],
      ["get", "http://127.0.0.1:1/", "--timeout", "-1"],
      ["post", "http://127.0.0.1:1/", "--json", "1", "--form", "a=b"],
      ["send", "G ET", "http://127.0.0.1:1/"],
      ["download", "http://127.0.0.1:1/"], ["download", "http://127.0.0.1:1/a", "--sha256", "abc"],
      ["bench", "http://127.0.0.1:1/", "-c", "0"], ["routes", "--diff", "one"],
      ["sign", "GET", "http://127.0.0.1:1/"],
    ])
  func usage(arguments: [String]) async throws {
    let outcome = try await RunningProgram([RunningProgram.tool] + arguments).outcome()
    #expect(outcome.status == 64, "\(outcome)")
    #expect(!outcome.errors.isEmpty)
    #expect(outcome.output.isEmpty)
  }

  @Test("The error for a misspelt command suggests the right one, and a URL without a scheme gets one")
  func guesses() async throws {
    let misspelt = try await RunningProgram([RunningProgram.tool, "gett", "http://127.0.0.1:1/"]).outcome()
    #expect(misspelt.status == 64)
    #expect(misspelt.errors == "switchyard: there is no command \"gett\"; did you mean get?\n")
    let refused = try await RunningProgram([RunningProgram.tool, "get", "localhost:1/"]).outcome()
    #expect(refused.status == 7, "\(refused)")
  }

  @Test(
    "A file that can't be read is status 26",
    arguments: [
      ["post", "http://127.0.0.1:1/", "--file", "/nonexistent"],
      ["post", "http://127.0.0.1:1/", "--json", "@/nonexistent"],
      ["post", "http://127.0.0.1:1/", "--form", "a=@/nonexistent"],
      ["post", "http://127.0.0.1:1/", "--file", "/"],
      ["get", "http://127.0.0.1:1/", "-H", "@/nonexistent"],
      ["get", "https://127.0.0.1:1/", "--cacert", "/nonexistent"],
      ["cookies", "/nonexistent"], ["advise", "/nonexistent"], ["routes", "/nonexistent"],
    ])
  func unreadable(arguments: [String]) async throws {
    let outcome = try await RunningProgram([RunningProgram.tool] + arguments).outcome()
    #expect(outcome.status == 26, "\(outcome)")
  }

  @Test("Every command explains itself, the exit statuses are in the help, and shells get completions")
  func help() async throws {
    let help = try await RunningProgram.tool("--help")
    #expect(help.status == 0, "\(help)")
    #expect(help.output.contains(" 22  the status is 400 or above"))
    for command in [
      "get", "post", "send", "download", "bench", "cookies", "sign", "verify", "advise", "routes",
    ] {
      #expect(help.output.contains("\n  \(command)"))
      let own = try await RunningProgram.tool(command, "--help")
      #expect(own.status == 0)
      #expect(own.output.contains("USAGE: switchyard \(command)"))
    }
    for shell in ["bash", "zsh", "fish"] {
      let script = try await RunningProgram.tool("--generate-completion-script", shell)
      #expect(script.status == 0)
      #expect(script.output.contains("download"))
    }
    #expect(try await RunningProgram.tool("--version").output == "0.1.0\n")
  }
}
