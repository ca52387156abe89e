import Foundation
import HTTPTypes
import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite("Transfers over HTTP/3", .timeLimit(.minutes(5)), .http3, .caddy)
struct HTTP3TransferTests {
  private static let size = 64 << 20

  /// Checks that an exchange was one of HTTP/3.
  private func expectHTTP3(_ response: Response) {
    #expect(response.exchange.transport?.http3 == .used)
    #expect(response.exchange.transport?.version == .http3)
  }

  private func put(_ server: CaddyServer, _ body: RequestBody, _ path: String = "/") -> Request {
    HTTP3Bench.request(server.port, path).with {
      $0.head.method = .put
      $0.body = body
      $0.options.timeouts.whole = nil
    }
  }

  @Test("L1: An upload of 64 MiB arrives byte for byte", arguments: [true, false])
  func largeUpload(isLengthKnown: Bool) async throws {
    let received = Watched(0)
    let isIntact = Watched(true)
    let upstream = try ScriptedServer(raw: { request, wire in
      try wire.readBody(of: request) { bytes in
        let offset = received.update { count in
          defer { count += bytes.count }
          return count
        }
        if !PatternSource.matches(bytes, at: offset) { isIntact.update { $0 = false } }
      }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    })
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let body = RequestBody.once(
      length: isLengthKnown ? Int64(Self.size) : nil, PatternSource(length: Self.size))
    let response = try await dispatcher.dispatch(put(server, body))
    expectHTTP3(response)
    #expect(response.status == .ok)
    #expect(received.value == Self.size && isIntact.value)
    #expect(response.exchange.transport?.bytes.sent == Int64(Self.size))
    await dispatcher.shutdown()
  }

  @Test("L1: A server that reads nothing holds the source of an upload back, which continues later")
  func backPressure() async throws {
    let gate = Gate()
    let received = Watched(0)
    let upstream = try ScriptedServer(raw: { request, wire in
      gate.wait()
      try wire.readBody(of: request) { bytes in received.update { $0 += bytes.count } }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    })
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let source = PatternSource(length: Self.size)
    let request = put(server, .once(length: Int64(Self.size), source)).with { $0.options.timeouts.idle = nil }
    let upload = Task { try await dispatcher.dispatch(request) }
    try await upstream.wait { $0.requests == 1 }
    // Other requests over the same connection show that time has passed in which the source could be read.
    var produced = -1
    while produced != source.produced {
      produced = source.produced
      for _ in 0..<20 {
        #expect(try await dispatcher.line(HTTP3Bench.request(server.port)).report.http3 == .used)
      }
    }
    // The window of the stream, the buffers of Caddy and of its TCP connection.
    #expect(produced < 24 << 20)
    gate.open()
    expectHTTP3(try await upload.value)
    #expect(received.value == Self.size)
    await dispatcher.shutdown()
  }

  @Test("L1: A slow reader gets 1 GiB whole, and the process holds a small part of it at a time")
  func slowReader() async throws {
    let total = 1 << 30
    let sent = Watched(0)
    let upstream = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      for offset in stride(from: 0, to: total, by: 1 << 20) {
        try wire.send(PatternSource.bytes(at: offset, count: 1 << 20))
        sent.update { $0 += 1 << 20 }
      }
      wire.waitForClose()
    })
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port, "/large").with {
      $0.options.delivery = .streamed
      $0.options.timeouts.whole = nil
    }
    let response = try await dispatcher.dispatch(request)
    expectHTTP3(response)
    guard case .stream(let stream) = response.body else { throw StreamingTests.NotStreamed() }
    var count = 0
    var furthest = 0
    for try await chunk in stream {
      #expect(PatternSource.matches(chunk, at: count))
      count += chunk.count
      furthest = max(furthest, sent.value - count)
      // The reader is slower than the server: other tasks of the machine run in between.
      await Task.yield()
    }
    #expect(count == total)
    // What is under way: the windows of QUIC, Caddy's buffers and those of its TCP connection.
    #expect(furthest < 64 << 20)
    #expect(stream.ending.transport?.http3 == .used)
    await dispatcher.shutdown()
  }

  @Test("L1: A reader that pauses stops the server, and gets the rest later")
  func pausedReader() async throws {
    let stalledAt = Watched<Int?>(nil)
    let gate = Gate()
    let bytes = PatternSource.bytes(at: 0, count: Self.size)
    let upstream = try ScriptedServer(raw: { _, wire in
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\r\n")
      let sent = try wire.sendUntilStalled(bytes)
      stalledAt.update { $0 = sent }
      gate.wait()
      try wire.send(Array(bytes[sent...]))
    })
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port, "/large").with {
      $0.options.delivery = .streamed
      $0.options.timeouts.whole = nil
    }
    let response = try await dispatcher.dispatch(request)
    let stalled = try #require(await stalledAt.wait { $0 != nil })
    // libcurl's window of a stream is 10 MiB; Caddy's TCP connection buffers some megabytes, too.
    #expect(stalled < 40 << 20)
    gate.open()
    let whole = try await response.body.collect(upTo: Self.size)
    #expect(whole.count == Self.size && PatternSource.matches(whole, at: 0))
    await dispatcher.shutdown()
  }

  @Test("L1: Trailer fields and informational responses arrive")
  func trailers() async throws {
    let upstream = try ScriptedServer { _ in
      ScriptedReply(
        fields: [("Trailer", "X-Sum")], body: Array("content".utf8), framing: .chunks(of: 3),
        trailers: [("X-Sum", "42")], informational: [103])
    }
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let response = try await dispatcher.dispatch(HTTP3Bench.request(server.port, "/trailers"))
    expectHTTP3(response)
    #expect(try await response.body.collect(upTo: 100) == Array("content".utf8))
    #expect(response.trailers?[try #require(HTTPField.Name("X-Sum"))] == "42")
  }

  @Test("L1: Cancels under load end their requests only, and leave nothing behind")
  func cancels() async throws {
    let upstream = try ScriptedServer { request in
      ScriptedReply(body: PatternSource.bytes(at: 0, count: request.target == "/large" ? 1 << 20 : 1_000))
    }
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let kept = Watched(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<400 {
        let request = HTTP3Bench.request(server.port, number % 5 == 0 ? "/large" : "/small")
        group.addTask {
          let task = Task { try await dispatcher.dispatch(request).body.collect(upTo: 1 << 20) }
          if number % 2 == 0 {
            for _ in 0..<(number % 7) { await Task.yield() }
            task.cancel()
            // It may have ended before.
            _ = await task.result
          } else {
            let bytes = try await task.value
            #expect(PatternSource.matches(bytes, at: 0))
            kept.update { $0 += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(kept.value == 200)
    #expect(await dispatcher.census().isEmpty)
    #expect(try await dispatcher.line(HTTP3Bench.request(server.port)).report.http3 == .used)
    await dispatcher.shutdown()
    #expect(await dispatcher.census().sockets == 0)
  }

  @Test(
    "L1: A pinned key is accepted over HTTP/3, and another one refused and reported before anything is sent")
  func pins() async throws {
    let upstream = try ScriptedServer { _ in .text("ok") }
    let server = try await CaddyServer(upstream: upstream.port)
    let key = try await server.certificates.pin(.good)
    let spare = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    let pinned = try PublicKeyPins(["127.0.0.1": [key, spare]])
    let own = HTTP3Bench.dispatcher(server) { $0.tls.pins = pinned }
    expectHTTP3(try await own.dispatch(HTTP3Bench.request(server.port)))
    let other = "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="
    let wrong = try PublicKeyPins(["127.0.0.1": [spare, other]])
    let reports = Watched<[PinMismatch]>([])
    let dispatcher = HTTP3Bench.dispatcher(server) {
      $0.tls.pins = wrong
      $0.tls.onPinMismatch = { mismatch in reports.update { $0.append(mismatch) } }
    }
    let request = HTTP3Bench.request(server.port, "/forwarded")
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .tls(.pinMismatch))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(try #require(await reports.wait { !$0.isEmpty }.first).wasRefused)
    #expect(upstream.counts.requests == 0)
  }

  @Test(
    "L1: A certificate that is not valid is refused, and nothing is sent",
    arguments: [
      (CertificateSet.Kind.expired, NetworkError.TLSFault.expired), (.wrongName, .nameMismatch),
      (.selfSigned, .untrusted),
    ])
  func trust(certificate: CertificateSet.Kind, fault: NetworkError.TLSFault) async throws {
    let upstream = try ScriptedServer { _ in .text("ok") }
    let server = try await CaddyServer(upstream: upstream.port, certificate: certificate)
    let dispatcher = HTTP3Bench.dispatcher(server)
    for port in [server.port, server.quicPort] {
      let request = HTTP3Bench.request(port, "/forwarded")
      let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
      // At the port of QUIC alone, libcurl's text about a wrong name gives way to that of the refused TCP.
      let isReplaced = port == server.quicPort && fault == .nameMismatch
      #expect(error?.kind == .tls(isReplaced ? .untrusted : fault))
      #expect(error?.requestMayHaveBeenProcessed == false)
    }
    #expect(upstream.counts.requests == 0)
  }

  @Test("L1: A server that requests a certificate gets the client's over HTTP/3")
  func clientCertificate() async throws {
    let server = try await CaddyServer(requiresCertificate: true)
    let own = HTTP3Bench.dispatcher(server) {
      $0.tls.clientCertificate = ClientCertificate(
        certificateFile: server.certificates.certificate(.good), keyFile: server.certificates.key(.good))
    }
    let response = try await own.dispatch(HTTP3Bench.request(server.port))
    expectHTTP3(response)
    let text = String(decoding: try await response.body.collect(upTo: 1000), as: UTF8.self)
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).first?.contains("CN=")
        == true)
    let none = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port)
    let error = await failure { () throws(NetworkError) in try await none.dispatch(request) }
    #expect(error != nil)
  }

  @Test("L1: The first byte's limit applies, and the next requests leave HTTP/3 for a while")
  func silence() async throws {
    let upstream = try ScriptedServer(raw: { request, wire in
      if request.target == "/silent" { return wire.waitForClose() }
      try wire.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    })
    let server = try await CaddyServer(upstream: upstream.port)
    let dispatcher = HTTP3Bench.dispatcher(server)
    let request = HTTP3Bench.request(server.port, "/silent").with {
      $0.options.timeouts.firstByte = .milliseconds(300)
    }
    let error = await failure { () throws(NetworkError) in try await dispatcher.dispatch(request) }
    #expect(error?.kind == .timeout(.firstByte))
    #expect(error?.requestMayHaveBeenProcessed == true)
    let report = try await dispatcher.line(HTTP3Bench.request(server.port)).report
    guard case .broken = report.http3 else {
      Issue.record("HTTP/3 was \(report.http3?.description ?? "not reported")")
      return
    }
    #expect(report.version == .http2)
  }
}
