import Foundation
import Testing

extension EstateSample {
  /// Adds a module to the app's list in a copy of the sample.
  static func listOffers(in package: URL) throws {
    let shell = "Sources/EstateApp/Shell/EstateShell.swift"
    try edit(shell, in: package, adding: "import Offers", after: "import Navigation")
    try edit(shell, in: package, adding: "OffersModule(),", after: "HelpModule(client: client),")
  }

  /// Adds a program that opens a URL in the app's shell, as `estate open` does, to a copy of the sample.
  ///
  /// Building `estate` itself would compile a web server.
  static func addOpener(to package: URL) throws {
    let manifest = package.appending(path: "Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try package.write(
      text + """

        package.targets.append(
          .executableTarget(name: "estate-opener", dependencies: ["EstateApp", logging]))

        """, to: "Package.swift")
    try package.write(
      """
      import EstateApp
      import Foundation
      import Logging

      let shell = try EstateShell(
        AppConfiguration(server: "https://localhost:1", state: CommandLine.arguments[1]),
        console: StandardConsole(), prompt: ScriptedPrompt([]), logger: Logger(label: "opener"))
      let result = await shell.open(CommandLine.arguments[2])
      StandardConsole().write(shell.summary)
      exit(result == .done ? 0 : 1)
      """, to: "Sources/estate-opener/main.swift")
  }

  /// Creates a folder with the files that the app reads at startup.
  static func makeState(in folder: URL) throws -> URL {
    let secret = String(repeating: "5a", count: 32)
    try folder.write("no authority", to: "state/ca.pem")
    try folder.write("{\"keyID\":\"demo\",\"secret\":\"\(secret)\"}", to: "state/demo-key.json")
    return folder.appending(path: "state")
  }

  private static func edit(_ path: String, in package: URL, adding line: String, after anchor: String) throws
  {
    let text = try String(contentsOf: package.appending(path: path), encoding: .utf8)
    try #require(text.contains(anchor), "\(path) has no line \"\(anchor)\"")
    try package.write(text.replacing(anchor, with: "\(anchor)\n\(line)", maxReplacements: 1), to: path)
  }
}
