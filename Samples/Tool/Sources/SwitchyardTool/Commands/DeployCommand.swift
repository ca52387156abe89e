import APIManagers
import ArgumentParser
import DNSBypass
import Deployment
import FeatureFlags
import Foundation
import Interception
import ToolCommands

struct DeployCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deploy",
    abstract: "Writes, signs, checks and compares deployment documents.",
    discussion: """
      switchyard deploy write --version 12 --days 30 --part flags=flags.json -o draft
      switchyard deploy sign draft --key 2026 --key-file private.pem -o deployment
      switchyard deploy check deployment --trust 2025=old.pem --trust 2026=public.pem --app-version 3.2
      switchyard deploy compare published deployment
      """,
    subcommands: [Write.self, Sign.self, Check.self, Compare.self])

  /// Calls a closure, and turns its error into a failure with a status.
  static func reading<Value>(
    _ status: ExitStatus, _ body: () throws(DeploymentError) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(DeploymentError) { return try body() } catch {
      throw ToolFailure(status, Printable.text("\(error)"))
    }
  }

  static func draft(in path: String) throws(ToolFailure) -> DeploymentDraft {
    let bytes = try InputFile.bytes(of: path)
    return try reading(.unreadable) { () throws(DeploymentError) in try DeploymentDraft(unverified: bytes) }
  }
}

extension DeployCommand {
  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "write", abstract: "Writes an unsigned document.")

    @Option(help: "The version, which must be higher than those before.") var version: UInt64
    @Option(help: "The number of days for which installations accept the document.") var days = 30
    @Option(help: ArgumentHelp("When that begins, in seconds since 1970; now by default.", valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("The minimum version of the app.", valueName: "version")) var minimumApp:
      String?
    @Option(help: ArgumentHelp("How many of 1000 installations accept it.", valueName: "number"))
    var permille = 1_000
    @Option(help: ArgumentHelp("The text that selects the share.", valueName: "text")) var seed = "all"
    @Option(help: ArgumentHelp("A key that is no longer trusted.", valueName: "name")) var revoke: [String] =
      []
    @Option(help: ArgumentHelp("A part, and the file with its content.", valueName: "name=file")) var part:
      [String] = []
    @Option(name: [.customShort("o"), .long], help: "The file; - for standard output.", completion: .file())
    var output = "-"

    func validate() throws {
      guard (1...36_500).contains(days) else { throw ValidationError("--days must be 1 to 36500.") }
    }

    func run() async throws {
      try await perform { [self] in
        let start = try DeploymentArgument.time(from, of: "--from", now: .now())
        var draft = DeploymentDraft(
          version: version, validFrom: start, until: start.advanced(by: .seconds(days * 86_400)))
        draft.minimumAppVersion = minimumApp
        (draft.permille, draft.shareSeed) = (permille, seed)
        draft.revokedKeys = Set(revoke)
        for text in part {
          let (name, path) = try DeploymentArgument.pair(text, of: "--part")
          guard draft.parts[name] == nil else {
            throw ToolFailure(.usage, "--part names \"\(Printable.text(name))\" twice; name each part once.")
          }
          draft.setPart(name, to: try InputFile.bytes(of: path))
        }
        let bytes = try DeployCommand.reading(.malformedRequest) { () throws(DeploymentError) in
          try draft.bytes()
        }
        try OutputTarget.write(bytes, to: output)
      }
    }
  }

  struct Sign: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sign", abstract: "Signs a document, or signs it again with another key.")

    @Argument(help: "The document; - for standard input.", completion: .file()) var file: String
    @Option(help: ArgumentHelp("The name of the key, as apps list it.", valueName: "name")) var key: String
    @Option(help: "The file with the Ed25519 private key in PEM.", completion: .file()) var keyFile: String
    @Option(name: [.customShort("o"), .long], help: "The file; - for standard output.", completion: .file())
    var output = "-"

    func run() async throws {
      try await perform { [self] in
        let draft = try DeployCommand.draft(in: file)
        let pem = try InputFile.text(of: keyFile)
        let bytes = try DeployCommand.reading(.malformedRequest) { () throws(DeploymentError) in
          try draft.signed(by: key, privateKeyPEM: pem)
        }
        try OutputTarget.write(bytes, to: output)
      }
    }
  }

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Verifies a signed document, as an installation would.",
      discussion: """
        The content of the parts flags, downgrades, endpoints and addresses is checked as far as that is \
        possible without the app; its tests check the rest by DeploymentDocument.check(by:). Exits with 1 if \
        the document is refused.
        """)

    @Argument(help: "The document; - for standard input.", completion: .file()) var file: String
    @Option(
      help: ArgumentHelp(
        "A key, and the file with its public key; from the oldest to the newest.", valueName: "name=file"))
    var trust: [String]
    @Option(help: ArgumentHelp("The version of the app.", valueName: "version")) var appVersion = "0"
    @Option(help: ArgumentHelp("The text of the installation, for its share.", valueName: "text"))
    var installation = "check"
    @Option(help: ArgumentHelp("The time in seconds since 1970; now by default.", valueName: "time"))
    var at: String?

    func run() async throws {
      try await perform { [self] in
        var keys: [DeploymentKey] = []
        for text in trust {
          let (name, path) = try DeploymentArgument.pair(text, of: "--trust")
          keys.append(DeploymentKey(name, publicKeyPEM: try InputFile.text(of: path)))
        }
        let now = try DeploymentArgument.time(at, of: "--at", now: .now())
        let bytes = try InputFile.bytes(of: file)
        let verifier = try DeployCommand.reading(.usage) { () throws(DeploymentError) in
          try DeploymentVerifier(trusting: keys, appVersion: appVersion, installation: installation)
        }
        let document = try DeployCommand.reading(.refused) { () throws(DeploymentError) in
          let document = try verifier.verify(bytes, now: now)
          try document.check(by: Self.parts(of: document))
          return document
        }
        let output = Terminal.output
        try output.lines(
          [output.ink(.green, "valid"), "version: \(document.version)"]
            + document.partNames.map { "part: \($0)" })
      }
    }

    /// Returns the parts that can be checked without the app, and parts that accept any content for the rest.
    private static func parts(of document: DeploymentDocument) throws(DeploymentError) -> [DeploymentPart] {
      let bypass = DNSBypassInterceptor(.empty, isProbing: false)
      let client = APIClient(dispatcher: NoDispatcher())
      let ranges = Set(SpecialAddressRange.allCases)
      var known: [DeploymentPart] = [
        .downgrades(of: client, []), .endpoints(of: client, []),
        .addresses(of: bypass, allowing: ranges),
      ]
      if let flags = try? DeployedFlags([]) { known.append(.flags(flags)) }
      let names = Set(known.map(\.name))
      return known
        + document.partNames.filter { !names.contains($0) }
        .map {
          DeploymentPart($0, maximumSize: 16 << 20) { _ in
            {}
          } reset: {
          }
        }
    }
  }

  struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compare", abstract: "Shows what has changed between two documents, signed or not.",
      discussion: "Signatures are not verified. Exits with 1 if the content differs.")

    @Argument(help: "The old document.", completion: .file()) var old: String
    @Argument(help: "The new document.", completion: .file()) var new: String

    func run() async throws {
      try await perform { [self] in
        let difference = DeploymentDifference(
          from: try DeployCommand.draft(in: old), to: try DeployCommand.draft(in: new))
        try Terminal.output.lines(difference.lines(Terminal.output.ink))
        if !difference.isEmpty { throw ToolFailure(.refused, "") }
      }
    }
  }
}

/// The dispatcher of a client that sends nothing, for the parts that change a client.
private struct NoDispatcher: Dispatcher {
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    throw NetworkError(.invalidRequest, "The check of a document sends nothing.")
  }
}
