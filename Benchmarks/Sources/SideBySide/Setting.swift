import ArgumentParser
import Foundation

/// The locations of the programs and of the server's files.
struct Setting: ParsableArguments {
  @Option(help: "The folder of the built programs.") var programs: String
  @Option(help: "A folder for the server's files; the caller removes it.") var state: String
  @Option(help: "The class path of OkHttp and its peer.") var okhttpClasses: String?

  var built: Programs { Programs(folder: programs, okHttpClasses: okhttpClasses) }
  var folder: URL { URL(fileURLWithPath: state) }
}
