import CommandRunning
import Foundation
import Testing

/// Checks with the compiler that misuse of the API does not compile.
@Suite(.enabled(if: Typechecker.isAvailable, "needs swiftc in PATH and the build's Modules folder"))
struct MisuseTests {
  static let declarations = """
    import APIManagers
    import Interception
    extension Service { static let estate = Service("estate", at: ServiceAddress(authority: "api.example")) }
    struct Search: Encodable, Sendable { var city = "" }
    struct Houses: API { static let endpoint = Endpoint<Search>(.estate, "houses", path: "/houses/\\(\\.city)") }
    final class Owner { let number = 1 }

    """

  @Test("A1: One small type defines the name, service and method of an API", .timeLimit(.minutes(5)))
  func rightUse() async throws {
    let errors = try await Typechecker.errors(
      in: Self.declarations
        + """
        struct Post: API {
          static let endpoint = Endpoint<Search>(.estate, "houses.add", method: .post, path: "/houses")
        }
        @MainActor func load(_ client: APIClient) { APIManager(Post(), client: client).load(Search()) }
        """)
    #expect(errors == "")
  }

  @Test(
    "A1: Misuse does not compile", .timeLimit(.minutes(5)),
    arguments: [
      ("struct X: API { typealias Params = Search }", "does not conform to protocol 'API'"),
      ("struct X: API { static let endpoint = Endpoint<Search>(\"x\", path: \"/x\") }", "missing argument"),
      ("struct X: API { static let endpoint = Endpoint<Search>(.estate, path: \"/x\") }", "missing argument"),
      (
        "struct X: API { static let endpoint = Endpoint<Search>(.estate, \"x\", path: \"/\\(\\.town)\") }",
        "has no member 'town'"
      ),
      ("struct P: Sendable {}\nlet e = Endpoint<P>(.estate, \"x\", path: \"/x\")", "no exact matches"),
      (
        "@MainActor func f(_ client: APIClient) { APIManager(Houses(), client: client).load(7) }",
        "cannot convert value of type 'Int'"
      ),
      (
        "@MainActor func f(_ m: APIManager<Houses>) { m.paramSource = ParamSource(Owner(), \\.number) }",
        "cannot be converted"
      ),
      ("func f(_ m: APIManager<Houses>) { m.load() }", "main actor-isolated"),
    ])
  func misuse(text: String, message: String) async throws {
    #expect(try await Typechecker.errors(in: Self.declarations + text).contains(message))
  }
}

/// Type-checks source text against the modules of this build.
enum Typechecker {
  private static let modules: URL = {
    let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return executable.deletingLastPathComponent().appending(path: "Modules")
  }()

  private static let compiler: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(
    separator: ":"
  )
  .map { URL(filePath: String($0)).appending(path: "swiftc") }
  .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  static var isAvailable: Bool {
    let isFound =
      compiler != nil
      && FileManager.default.fileExists(atPath: modules.appending(path: "APIManagers.swiftmodule").path)
    return isFound || ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Returns the compiler's errors, one per line; empty if there are none.
  static func errors(in text: String) async throws -> String {
    let folder = try TemporaryFolder(prefix: "misuse")
    let source = folder.url.appending(path: "Text.swift")
    try Data(text.utf8).write(to: source)
    let path = try #require(compiler, "no swiftc in PATH").path
    let outcome = try await Command(
      path, "-typecheck", "-swift-version", "6", "-I", modules.path, source.path
    ).run()
    let errors = outcome.lines.filter { $0.contains("error:") }.joined(separator: "\n")
    return errors.isEmpty && outcome.status != 0 ? "error: \(outcome)" : errors
  }
}
