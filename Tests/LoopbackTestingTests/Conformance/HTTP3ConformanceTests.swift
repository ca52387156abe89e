import Foundation
import HTTPTypes
import Interception
import Testing

@testable import CurlTransport
@testable import LoopbackTesting

/// The cases that cannot be run over HTTP/3, because Caddy stands between the dispatcher and the server.
private let exclusions: [String: String] = {
  let certificate = "Caddy presents a valid certificate for each server; HTTP3TransferTests presents others"
  let refusal = "Caddy ends the stream, and does not say that the server has refused it"
  let connection = "Caddy accepts the connection"
  let order = "Caddy sends trailer fields in any order; HTTP3TransferTests has a response with one"
  let violation = "Caddy ends the stream without forwarding the response"
  return [
    "refusedPort": connection, "unknownHost": connection, "connectTimeout": connection,
    "connectTarget": "the address of Caddy takes the place of the case's own",
    "expired": certificate, "wrongName": certificate, "selfSigned": certificate, "oldTLS": certificate,
    "noTLS": certificate, "garbage": violation, "brokenLength": violation,
    "http2Shared": "Caddy chooses the number of its connections to the server",
    "http2Refused": refusal, "http2GoAway": refusal,
    "cancelledUpload": "libcurl 8.23 does not survive it; requests with content use HTTP/2",
    "trailers": order, "http2Trailers": order,
    "requestTrailers": "libcurl sends trailer fields over HTTP/1.1 only, and Caddy does not forward them",
    "reported": "the case expects the version HTTP/1.1; HTTP3ChoiceTests looks at reports",
  ]
}()

/// The cases that end a request early, and wait until the server knows it, without another request.
///
/// libcurl 8.23 drives no connection without a transfer: if the packet that resets the stream is lost, or
/// must not leave at once, it leaves with the next request. Seen in 4 of 90 such cases beside other programs.
private let endedEarly: Set = [
  "cancelledWaiting", "cancelledInContent", "droppedStream", "droppedReader", "http2DroppedAtOnce",
  "streamLimit", "firstByteTimeout", "idleTimeout", "wholeTimeout",
]

@Suite(
  "The conformance suite over HTTP/3", .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: LoadedLibrary.loaded().hasHTTP3,
    "it needs a libcurl with HTTP/3 (Scripts/newer-libcurl --version 8.23)"),
  .enabled(if: HTTP3Front.runsSuites, "Caddy is not installed (Scripts/install-dependencies --http3)"))
struct HTTP3ConformanceTests {
  @Test(
    "L1: Over HTTP/3 CurlDispatcher meets the requirements that a proxy between it and the server can show",
    arguments: ConformanceCase.all)
  func keeps(_ conformanceCase: ConformanceCase) async throws {
    let certificates = try await LoopbackCertificates()
    let front = try await HTTP3Front(certificates)
    let report = try await runDispatcherConformance(
      [conformanceCase], excluding: exclusions, certificates: certificates
    ) { setting in
      var configuration = CurlDispatcher.Configuration(
        tls: TLSPolicy(authorityFile: setting.authorityFile), http3: .first)
      configuration.sendsContentOverHTTP3 = true
      return FrontedDispatcher(dispatcher: CurlDispatcher(configuration: configuration), front: front)
    }
    let expected = exclusions[conformanceCase.name].map(ConformanceReport.Verdict.excluded) ?? .kept
    let verdicts = report.entries.map(\.verdict)
    withKnownIssue("libcurl has not reset the stream within 20 s", isIntermittent: true) {
      #expect(verdicts == [expected])
    } when: {
      endedEarly.contains(conformanceCase.name) && verdicts.contains(where: Self.isLateReset)
    }
  }

  /// Whether the server waited in vain for the end of a request, and all else was as the case demands.
  private static func isLateReset(_ verdict: ConformanceReport.Verdict) -> Bool {
    guard case .broken(let reason) = verdict else { return false }
    return reason.contains("in vain until the condition is true of ServerState")
      && !reason.contains("openExchanges: 0")
  }
}

/// Sends each request over HTTP/3 to Caddy, which forwards it to the server that the request names.
private struct FrontedDispatcher: Dispatcher {
  let dispatcher: CurlDispatcher
  let front: HTTP3Front

  var capabilities: DispatcherCapabilities { dispatcher.capabilities }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    var request = request
    let isSecure = request.head.scheme == "https"
    request.head.scheme = "https"
    request.context.connectTarget = ConnectTarget(
      address: "127.0.0.1", port: isSecure ? front.secureUpstreamPort : front.port)
    let response = try await dispatcher.dispatch(request)
    switch response.exchange.transport?.http3 {
    // After a timeout of its own, a case continues without HTTP/3.
    case .used, .broken: return response
    case let other:
      throw NetworkError(.rejected, "HTTP/3 was not used: \(other?.description ?? "not reported")")
    }
  }
}

/// Caddy, which speaks HTTP/3 and forwards each request to the server that its authority names.
///
/// Where that server breaks off, so does Caddy. Releasing it ends the program, as does the end of the tests.
private final class HTTP3Front: Sendable {
  private static let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build/http3-servers/caddy").path

  /// Whether Caddy is installed, or must be.
  static var runsSuites: Bool {
    FileManager.default.isExecutableFile(atPath: program)
      || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// The port that forwards without TLS, and the one that forwards by TLS and HTTP/2.
  let port: Int
  let secureUpstreamPort: Int
  private let folder: URL
  // The shell ends Caddy when the other end of this pipe is closed.
  private let lifeline = Pipe()

  init(_ certificates: LoopbackCertificates) async throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("caddy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      // Free once both are known, so that they differ.
      let (first, second) = (try ClosedPort(), try ClosedPort())
      (port, secureUpstreamPort) = (first.number, second.number)
    }
    let log = folder.appendingPathComponent("caddy.log")
    let configuration = folder.appendingPathComponent("caddy.json")
    try JSONSerialization.data(
      withJSONObject: Self.configuration(certificates, folder, port, secureUpstreamPort)
    )
    .write(to: configuration)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = [
      "-c", "\"$0\" run --config \"$1\" 2>\"$2\" & read -r line; kill -9 $!", Self.program,
      configuration.path,
      log.path,
    ]
    shell.standardInput = lifeline
    try shell.run()
    let end = ContinuousClock.now + .seconds(20)
    while (try? String(contentsOf: log, encoding: .utf8))?.contains("serving initial configuration") != true {
      guard ContinuousClock.now < end else {
        throw LoopbackError("Caddy did not start; its messages are in \(log.path).")
      }
      try await Task.sleep(for: .milliseconds(10))  // clock: another program's start provides no event
    }
  }

  deinit {
    try? lifeline.fileHandleForWriting.close()
    try? FileManager.default.removeItem(at: folder)
  }

  private static func configuration(
    _ certificates: LoopbackCertificates, _ folder: URL, _ port: Int, _ securePort: Int
  ) -> [String: Any] {
    let tls: [String: Any] = ["protocol": "http", "versions": ["2"], "tls": ["insecure_skip_verify": true]]
    return [
      "admin": ["disabled": true, "config": ["persist": false]],
      "storage": ["module": "file_system", "root": folder.appendingPathComponent("storage").path],
      "apps": [
        "http": [
          "servers": ["plain": server(port, nil), "secure": server(securePort, tls)]
        ],
        "tls": [
          "certificates": [
            "load_files": [["certificate": certificates.certificate(.good), "key": certificates.key(.good)]]
          ]
        ],
      ],
    ]
  }

  private static func server(_ port: Int, _ transport: [String: Any]?) -> [String: Any] {
    var proxy: [String: Any] = [
      "handler": "reverse_proxy", "flush_interval": -1,
      "upstreams": [["dial": "{http.request.host}:{http.request.port}"]],
    ]
    if let transport { proxy["transport"] = transport }
    return [
      "listen": ["127.0.0.1:\(port)"], "protocols": ["h1", "h2", "h3"], "automatic_https": ["disable": true],
      "tls_connection_policies": [[String: Any]()], "routes": [["handle": [proxy]]],
      // Otherwise Caddy would respond with 502.
      "errors": ["routes": [["handle": [["handler": "static_response", "abort": true]]]]],
    ]
  }
}
