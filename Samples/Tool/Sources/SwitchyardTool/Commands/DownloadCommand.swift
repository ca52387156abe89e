import ArgumentParser
import Downloads
import Foundation
import HTTPTypes
import Interception
import ToolCommands

struct DownloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "download", abstract: "Downloads to a file, and resumes where an earlier run ended.",
    discussion: """
      Until it is complete the content is in FILE.part, which remains if the run ends early: the next run \
      requests what is missing, if the server still has the same version. A complete file is requested again \
      only if the server has another version. Lost connections are survived by themselves (--retry, 4 by default).
      """)

  @Argument(help: "The URL, with https:// or http://.") var url: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file; by default the last part of the URL's path.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "The SHA-256 that the file must have. A file that has it already is not requested, and content with another one never gets the file's name.",
      valueName: "digits"))
  var sha256: String?

  @Option(
    help: ArgumentHelp(
      "How many parts of a large file are requested at the same time, 1 to 16; 1 by default.",
      valueName: "count"))
  var parts = 1

  @OptionGroup var chain: ChainOptions

  func validate() throws {
    guard (1...16).contains(parts) else { throw ValidationError("--parts must be from 1 to 16.") }
    guard sha256.map({ ExpectedDigest($0) != nil }) ?? true else {
      throw ValidationError("--sha256 must have 64 hexadecimal digits.")
    }
  }

  func run() async throws {
    try await perform(chain.color) {
      [url, output, digest = sha256.flatMap { ExpectedDigest($0) }, parts, chain] in
      var request = try Request(URLArgument.completed(url))
      try chain.connection.apply(to: &request)
      let path = try output ?? DownloadName.name(ofPath: request.head.path ?? "")
      try await FetchedFile(path: path, digest: digest, parts: parts, chain: chain).fetch(request)
    }
  }
}

/// A file that is downloaded, with a progress bar on a terminal.
private struct FetchedFile: Sendable {
  let path: String
  let digest: ExpectedDigest?
  let parts: Int
  let chain: ChainOptions

  /// Downloads the file, unless it already has the digest.
  func fetch(_ request: Request) async throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ToolFailure(.unwritable, "\(Printable.text(path)) is a folder; name a file in it with -o FILE.")
    }
    if let digest, InputFile.digest(of: path).map(digest.matches) == true {
      Terminal.note("\(Printable.text(path)) already has this SHA-256; nothing was requested")
      return
    }
    var policy = DownloadPolicy(parts: parts)
    if let retry = chain.retry { policy.failureLimit = retry + 1 }
    // The download repeats requests itself, so that each continues where the one before ended.
    let session = try Session(chain, retries: 0)
    let expected = try digest.map { digest throws(NetworkError) in
      try FileDigest(.sha256, hexadecimal: digest.digits)
    }
    let download = FileDownload(request, to: path, expecting: expected, policy: policy)
    var outcome: FileDownload.Outcome?
    var failure: (any Error)?
    do {
      outcome = try await ProgressBar.show { try await download.run(over: session.pipeline, reportingTo: $0) }
    } catch {
      failure = error
    }
    try await session.finish(outcome?.exchange, failure: failure)
    if let failure { throw failure }
    guard let outcome else { return }
    Terminal.note(Self.report(outcome, path))
  }

  private static func report(_ outcome: FileDownload.Outcome, _ path: String) -> String {
    let file = "\(Printable.text(path)), \(Figures.bytes(outcome.length))"
    if outcome.isUnchanged { return "\(file): the server has no other version" }
    let resumed = outcome.resumedFrom > 0 ? ", resumed at \(Figures.bytes(outcome.resumedFrom))" : ""
    let failures = outcome.failures > 0 ? ", after \(outcome.failures) lost connections" : ""
    return file + resumed + failures
  }
}
