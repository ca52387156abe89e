import ArgumentParser
import Foundation

/// The locations of the programs and of the server's files.
struct Setting: ParsableArguments {
  @Option(help: "The folder of the built programs.") var programs: String
  @Option(help: "A folder for the server's files; the caller removes it.") var state: String
  @Option(help: "The class path of OkHttp and its peer.") var okhttpClasses: String?
  @Option(help: "The folder of a libcurl that was built with WebSockets.") var newerLibcurl: String?
  @Option(help: "The folder of a libcurl with HTTP/3.") var newestLibcurl: String?
  @Option(help: "Caddy, the server of loads over HTTP/3.") var caddy: String?
  @Option(help: "The program of a line that delays and loses packets.") var delayLine: String?
  @Option(help: "The shared vectors of the default signature.") var signatureVectors: String?
  @Option(help: "The folder of the Python programs.") var python: String?

  var built: Programs {
    Programs(
      folder: programs, okHttpClasses: okhttpClasses, newerLibcurl: newerLibcurl,
      newestLibcurl: newestLibcurl, caddy: caddy, delayLine: delayLine, signatureVectors: signatureVectors,
      pythonFolder: python)
  }
  var folder: URL { URL(fileURLWithPath: state) }
}
