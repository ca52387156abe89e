import ArgumentParser
import Interception
import ResponseCaching
import ToolCommands

struct AdviseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "advise", abstract: "Says which cache limit would have suited a recorded run, with a plot.",
    discussion: """
      The run is an HTTP Archive (HAR), of a browser or of the library's HARRecorder. The library's cache \
      decides about each response of it, as if it were in the chain; nothing is sent.
      """)

  @Argument(help: "The archive; - for standard input.", completion: .file(extensions: ["har"])) var archive:
    String

  @Option(
    help: ArgumentHelp(
      "Treats responses as fresh for so long at most, also if they state nothing; by default as they state.",
      valueName: "seconds"))
  var freshFor: Int?

  func validate() throws {
    guard freshFor.map({ (1...31_536_000).contains($0) }) ?? true else {
      throw ValidationError("--fresh-for must be 1 to 31536000 seconds.")
    }
  }

  func run() async throws {
    try await perform { [archive, freshFor] in
      let run = try ArchiveRun(InputFile.bytes(of: archive))
      let recording = try await run.recording(rule: freshFor.map { .timed(.seconds($0)) } ?? .stated())
      let advice = CacheAdvice(
        recording, bytes: AdvicePlot.limits(for: recording), policies: [.s3FIFO, .optimal])
      try Terminal.output.lines(
        AdvicePlot(advice).lines(Terminal.output.ink, width: Terminal.output.width))
      if run.omittedCount > 0 {
        Terminal.note("\(run.omittedCount) entries could not be read, and were left out")
      }
      if run.hidesQueries {
        Terminal.note("the archive hides values of queries: requests that differ only there count as equal")
      }
    }
  }
}
