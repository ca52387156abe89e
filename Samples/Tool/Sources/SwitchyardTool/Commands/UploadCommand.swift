import ArgumentParser
import HTTPTypes
import Interception
import ToolCommands
import Uploads

struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload", abstract: "Uploads a file in parts, and resumes where an earlier run ended.",
    discussion: """
      The server must speak tus 1.0.0, or the draft of HTTP for resumable uploads (--protocol http). Where the \
      upload lies on the server is kept in FILE.upload until it is complete: the next run asks the server what it \
      has, and sends the rest. Lost connections are survived by themselves (--retry, 4 by default).
      """)

  /// What the command line calls a protocol.
  enum ProtocolName: String, ExpressibleByArgument, CaseIterable {
    case tus
    case http
  }

  @Argument(help: "The file.", completion: .file()) var file: String
  @Argument(help: "The URL at which uploads are created, with https:// or http://.") var url: String

  @Option(name: .customLong("protocol"), help: "The protocol: tus, the default, or http.")
  var name = ProtocolName.tus

  @Option(
    help: ArgumentHelp("A value of Upload-Metadata, with tus.", valueName: "name=value"))
  var metadata: [String] = []

  @Option(
    help: ArgumentHelp("The maximum number of bytes per request; all at once by default.", valueName: "bytes")
  )
  var chunk: Int64?

  @Flag(help: "Removes the unfinished upload of an earlier run, here and from the server, and sends nothing.")
  var discard = false

  @OptionGroup var chain: ChainOptions

  func validate() throws {
    guard chunk ?? 1 > 0 else { throw ValidationError("--chunk must be above 0.") }
    guard metadata.isEmpty || name == .tus else {
      throw ValidationError("--metadata is of tus; remove it, or use --protocol tus.")
    }
    guard metadata.allSatisfy({ $0.contains("=") }) else {
      throw ValidationError("--metadata must be NAME=VALUE.")
    }
  }

  func run() async throws {
    try await perform(chain.color) { [self] in
      var request = try Request(URLArgument.completed(url), method: .post)
      try chain.connection.apply(to: &request)
      try InputFile.check(file)
      var policy = UploadPolicy(maximumRequestSize: chunk)
      if let retry = chain.retry { policy.failureLimit = retry + 1 }
      let upload = FileUpload(request, from: file, by: resumption, policy: policy)
      // The upload repeats requests itself, after it has asked what the server has.
      try await send(upload, try Session(chain, retries: 0))
    }
  }

  private var resumption: UploadProtocol {
    guard name == .tus else { return .httpDraft }
    let pairs = metadata.map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts[1])
    }
    return .tus(metadata: Dictionary(pairs) { _, last in last })
  }

  private func send(_ upload: FileUpload, _ session: Session) async throws {
    var outcome: FileUpload.Outcome?
    var failure: (any Error)?
    do {
      if discard {
        try await upload.discardUnfinished(over: session.pipeline)
      } else {
        outcome = try await ProgressBar.show { try await upload.run(over: session.pipeline, reportingTo: $0) }
      }
    } catch {
      failure = error
    }
    try await session.finish(outcome?.exchange, failure: failure)
    if let failure { throw failure }
    guard let outcome else { return }
    let resumed = outcome.resumedFrom > 0 ? ", resumed at \(Figures.bytes(outcome.resumedFrom))" : ""
    let failures = outcome.failures > 0 ? ", after \(outcome.failures) failures" : ""
    Terminal.note("\(Printable.text(file)), \(Figures.bytes(outcome.length))\(resumed)\(failures)")
  }
}
