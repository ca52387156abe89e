public import ArgumentParser
import EstateServer
import Foundation
import HTTPServing
public import Logging
import RequestSigning
import SQLiteStores
import ValkeyStores

@main
struct EstateServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "estate-server",
    abstract: "Serves the house-hunting API of the sample on https://localhost.",
    discussion: """
      nginx terminates TLS and HTTP/2 in front of the API, as it would in production; it must be installed.

      The first start makes a certificate authority, a certificate for localhost, api.estate.test and \
      127.0.0.1, and a signing key in the state directory: clients trust ca.pem and sign with \
      demo-key.json. The authority's own key is not kept. The certificate is renewed, with a new ca.pem, \
      at a start less than 30 days before its end.

      When connections are accepted the server prints 'estate-server: listening on https://localhost:PORT' \
      on standard output; its log goes to standard error. SIGTERM and SIGINT stop it, and nginx with it.

      Everything but /help.html must be signed, by the scheme of the package or with HTTP Message \
      Signatures (RFC 9421). The account for favourites is user \
      '\(DemoAccount.user)', password '\(DemoAccount.password)'. Sessions, favourites and notes live in memory.
      """)

  @Option(help: ArgumentHelp("The port on 127.0.0.1 and 127.0.0.2; 0 for any free one.", valueName: "number"))
  var port = 8443

  @Option(help: ArgumentHelp("The state directory; created if it is missing.", valueName: "directory"))
  var state = ".estate"

  @Option(help: ArgumentHelp("The lifetime of a session.", valueName: "seconds"))
  var sessionLifetime = Int(EstateAPI.standardSessionLifetime)

  @Option(
    help: ArgumentHelp(
      "A file that keeps the nonces of requests, for several servers on this machine and after a restart.",
      valueName: "file"))
  var nonceFile: String?

  @Option(
    help: ArgumentHelp(
      "A Valkey or Redis server that keeps the nonces of requests for all servers of a fleet.",
      valueName: "host:port"))
  var nonceServer: String?

  @Option(
    help: ArgumentHelp(
      "A file to which a line is appended for each favourite before it is added; one that can't be is refused.",
      valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp(
      "The minimum level to log: trace, debug (nginx), info (each request), notice, warning, error.",
      valueName: "level"))
  var logLevel: Logger.Level = .notice

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port must be 0 to 65535, not \(port).") }
    guard (1...31_536_000).contains(sessionLifetime) else {
      throw ValidationError("--session-lifetime must be 1 to 31536000 seconds, not \(sessionLifetime).")
    }
    guard nonceFile == nil || nonceServer == nil else {
      throw ValidationError("--nonce-file and --nonce-server exclude each other.")
    }
    if let nonceServer, Self.address(nonceServer) == nil {
      throw ValidationError("--nonce-server must be a host and a port, as in 127.0.0.1:6379.")
    }
  }

  func run() async throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "estate-server")
    logger.logLevel = logLevel
    let directory = try StateDirectory(path: state)
    let certificate = try ServerCertificate.prepare(in: directory)
    if certificate.source == .renewed {
      logger.notice("the certificate was near its end and was renewed with ca.pem and server-key.pem")
    }
    let key = try directory.demoKey()
    logger.info("signing key", metadata: ["id": "\(key.id)"])
    let api = EstateAPI(
      listings: try .sacramento(), verifier: try verifier(for: key, logger),
      messageSignatures: MessageSignatureService(key: key), addressKey: key,
      guide: try GuideSite(in: directory), deployments: try DeploymentRoutes(in: directory),
      sessionLifetime: TimeInterval(sessionLifetime),
      record: try recording())
    let server = APIServer(api: api, directory: directory, port: UInt16(port), logger: logger)
    // Before the port is announced, because the signal may follow at once.
    let signals = TerminationSignals()
    try await server.run(until: { await signals.received() }) { port in
      let line = "estate-server: listening on https://localhost:\(port)\n"
      // Unbuffered, because the program that started the server waits for the line.
      try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
  }

  /// Returns what appends lines to the file that was asked for.
  private func recording() throws -> @Sendable (String) throws -> Void {
    guard let record else { return { _ in } }
    let descriptor = open(record, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ValidationError("--record can't be written: \(record): \(String(cString: strerror(errno))).")
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    return { line in try file.write(contentsOf: Data((line + "\n").utf8)) }
  }

  /// Returns the verifier, with the store of nonces that was asked for.
  private func verifier(for key: DemoKey, _ logger: Logger) throws -> any RequestVerifying {
    let report: @Sendable (NonceStoreError, NonceStorePolicy) -> Void = { error, policy in
      logger.warning("\(policy == .failOpen ? "accepted" : "refused") without knowing its nonce: \(error)")
    }
    if let nonceFile {
      return try FleetVerifier(key: key, nonces: SQLiteNonceStore(path: nonceFile), report: report)
    }
    if let (host, port) = nonceServer.flatMap(Self.address) {
      let configuration = ValkeyConfiguration(host: host, port: port)
      return FleetVerifier(key: key, nonces: ValkeyNonceStore(configuration), report: report)
    }
    return SharedKeyVerifier(key: key)
  }

  private static func address(_ text: String) -> (host: String, port: Int)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      colon > text.startIndex, port > 0
    else { return nil }
    return (String(text[..<colon]), Int(port))
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
