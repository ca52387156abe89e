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

  @OptionGroup var chain: ChainOptions

  func validate() throws {
    guard sha256.map({ ExpectedDigest($0) != nil }) ?? true else {
      throw ValidationError("--sha256 must have 64 hexadecimal digits.")
    }
  }

  func run() async throws {
    try await perform { [url, output, digest = sha256.flatMap { ExpectedDigest($0) }, chain] in
      var request = try Request(url)
      try chain.connection.apply(to: &request)
      let path = try output ?? DownloadName.name(ofPath: request.head.path ?? "")
      try await FetchedFile(path: path, digest: digest, chain: chain).fetch(request)
    }
  }
}

/// A file that is downloaded, with a progress bar on a terminal.
private struct FetchedFile: Sendable {
  let path: String
  let digest: ExpectedDigest?
  let chain: ChainOptions

  /// Downloads the file, unless it already has the digest.
  func fetch(_ request: Request) async throws {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw ToolFailure(.unwritable, "\(Printable.text(path)) is a folder; name a file in it with -o FILE.")
    }
    if let digest, InputFile.digest(of: path).map(digest.matches) == true {
      tell("\(Printable.text(path)) already has this SHA-256; nothing was requested")
      return
    }
    // Content that isn't verified yet must not have the name of the file.
    let target = digest == nil ? path : path + ".unverified"
    var policy = DownloadPolicy()
    if let retry = chain.retry { policy.failureLimit = retry + 1 }
    // The download repeats requests itself, so that each continues where the one before ended.
    let session = try Session(chain, retries: 0)
    let download = FileDownload(request, to: target, policy: policy)
    var outcome: FileDownload.Outcome?
    var failure: (any Error)?
    do {
      outcome = try await run(download, session)
    } catch {
      failure = error
    }
    try await session.finish(outcome?.exchange, failure: failure)
    if let failure { throw failure }
    guard let outcome else { return }
    if let digest { try verify(digest, target) }
    tell(Self.report(outcome, path))
  }

  private func run(_ download: FileDownload, _ session: Session) async throws -> FileDownload.Outcome {
    guard Terminal.error.isTerminal else { return try await download.run(over: session.pipeline) }
    let meter = TransferMeter()
    async let drawing: Void = Self.draw(meter)
    do {
      let outcome = try await download.run(over: session.pipeline, reportingTo: meter)
      await drawing
      return outcome
    } catch {
      meter.finish()
      await drawing
      throw error
    }
  }

  /// Draws the progress until the meter is finished, at most ten times per second.
  private static func draw(_ meter: TransferMeter) async {
    let terminal = Terminal.error
    let clock = ContinuousClock()
    let start = clock.now
    var first: Int64?
    var last: ContinuousClock.Instant?
    for await progress in meter.updates() {
      let resumed = first ?? progress.bytes
      first = resumed
      guard last.map({ $0.duration(to: clock.now) >= .milliseconds(100) }) ?? true else { continue }
      last = clock.now
      let line = ProgressLine(
        bytes: progress.bytes, total: progress.total, resumedFrom: resumed,
        elapsed: start.duration(to: clock.now))
      try? terminal.write(Array("\r\u{1B}[K\(line.text(terminal.ink, width: terminal.width - 1))".utf8))
    }
    try? terminal.write(Array("\r\u{1B}[K".utf8))
  }

  private func verify(_ digest: ExpectedDigest, _ unverified: String) throws(ToolFailure) {
    let found = InputFile.digest(of: unverified)
    guard let found, digest.matches(found) else {
      try? FileManager.default.removeItem(atPath: unverified)
      let text = found.map { "has the SHA-256 \(ExpectedDigest.digits($0))" } ?? "can't be read again"
      throw ToolFailure(
        .refused,
        "The content \(text), not \(digest.digits); it was removed. Check the digest and the source.")
    }
    guard rename(unverified, path) == 0 else {
      throw ToolFailure(
        .unwritable, "Cannot write \(Printable.text(path)): \(String(cString: strerror(errno))).")
    }
  }

  /// Says how a run ended, to a person; a program has the exit status.
  private func tell(_ text: String) { if Terminal.error.isTerminal { Terminal.note(text) } }

  private static func report(_ outcome: FileDownload.Outcome, _ path: String) -> String {
    let file = "\(Printable.text(path)), \(Figures.bytes(outcome.length))"
    if outcome.isUnchanged { return "\(file): the server has no other version" }
    let resumed = outcome.resumedFrom > 0 ? ", resumed at \(Figures.bytes(outcome.resumedFrom))" : ""
    let failures = outcome.failures > 0 ? ", after \(outcome.failures) lost connections" : ""
    return file + resumed + failures
  }
}
