import CommandRunning
import Foundation
import Testing

/// The command-line tool that the plugin EmbedSecrets calls.
@Suite(.timeLimit(.minutes(5))) struct EmbedSecretsToolTests {
  /// A repository with a package, and a folder beside it that has keys.
  private let folder: TemporaryFolder
  private static let secret = "correct horse battery staple"

  init() throws {
    folder = try TemporaryFolder(prefix: "embed-secrets")
    for path in ["repository/.git", "repository/Shop/.build", "home"] {
      try FileManager.default.createDirectory(at: file(path), withIntermediateDirectories: true)
    }
  }

  private var list: String { file("repository/Shop/EmbeddedSecrets.txt").path }
  private var output: URL { file("repository/Shop/.build/Listed.swift") }

  private func file(_ path: String) -> URL { folder.url.appending(path: path) }

  private func write(_ text: String, to path: String, mode: Int = 0o600) throws {
    try folder.url.write(text, to: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file(path).path)
  }

  /// The tool is built next to the program that runs the tests.
  private func tool(_ arguments: [String]) async throws -> Command.Outcome {
    let tests = URL(filePath: CommandLine.arguments[0])
    let tool = tests.deletingLastPathComponent().appending(path: "embed-secrets-tool")
    try #require(FileManager.default.isExecutableFile(atPath: tool.path), "\(tool.path) is not built")
    return try await Command(words: [tool.path] + arguments).run()
  }

  /// Runs the tool on a list, as the plugin does if it has planned the files at `planned`.
  private func embed(_ lines: String, planned: [String]) async throws -> Command.Outcome {
    try write(lines, to: "repository/Shop/EmbeddedSecrets.txt", mode: 0o644)
    let package = file("repository/Shop").path
    return try await tool(
      ["--list", list, "--package", package, "--home", file("home").path, "--output", output.path, "--"]
        + planned)
  }

  @Test("Secrets above the package, in the home folder and elsewhere are embedded, for the owner alone")
  func embedding() async throws {
    try write(Self.secret + "\n", to: "keys/platform.key")
    try write(Self.secret, to: "home/.shop/other.key", mode: 0o400)
    let above = "\(file("repository/Shop").path)/../../keys/platform.key"
    let outcome = try await embed(
      "a = ../../keys/platform.key\nb = ~/.shop/other.key\n",
      planned: [above, file("home/.shop/other.key").path])
    #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
    let code = try String(contentsOf: output, encoding: .utf8)
    #expect(code.contains("var `a`: EmbeddedSecret") && code.contains("var `b`: EmbeddedSecret"))
    #expect(!code.contains(Self.secret))
    let attributes = try FileManager.default.attributesOfItem(atPath: output.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("Code with the same secrets stays as it is, and any other is replaced by other shares")
  func forms() async throws {
    let path = file("keys/a").path
    func write(_ secret: String) async throws -> String {
      try self.write(secret, to: "keys/a")
      let outcome = try await embed("a = \(path)\n", planned: [path])
      #expect(outcome.status == 0, "\(outcome)")
      return try String(contentsOf: output, encoding: .utf8)
    }
    let first = try await write(Self.secret)
    #expect(try await write(Self.secret + "\n") == first)
    let second = try await write(Self.secret + "s")
    #expect(second != first)
    let third = try await write(Self.secret)
    #expect(third != first && third != second)
    try FileManager.default.removeItem(at: output)
    #expect(try await write(Self.secret) != third)
    try Data("import EmbeddedSecrets\n".utf8).write(to: output)
    #expect(try await write(Self.secret).contains("var `a`: EmbeddedSecret"))
  }

  /// A file that is no place for a secret.
  enum Place: String, CaseIterable, Sendable {
    case missing, empty, long, folder, fifo, inPackage, inRepository, linkIntoRepository, hardLink, unplanned
    case groupReadable, worldReadable

    var reason: String {
      switch self {
      case .missing: "can't open it: No such file or directory; write the secret \"k\" into it"
      case .empty: "it is empty"
      case .long: "it has more than 4096 bytes"
      case .folder, .fifo: "it is not a regular file"
      case .inPackage: "it is inside the package's folder"
      case .inRepository, .linkIntoRepository: "it is inside the repository"
      case .hardLink: "it has 2 names (hard links)"
      case .unplanned: "the build doesn't watch"
      case .groupReadable: "other users have access to it (mode 640); run chmod 600 on it"
      case .worldReadable: "other users have access to it (mode 604); run chmod 600 on it"
      }
    }
  }

  /// Makes a place, and returns its path.
  private func make(_ place: Place) throws -> String {
    let files = FileManager.default
    let path = file("keys/k").path
    try files.createDirectory(at: file("keys"), withIntermediateDirectories: true)
    switch place {
    case .missing: break
    case .empty: try write("\n", to: "keys/k")
    case .long: try write(String(repeating: Self.secret, count: 200), to: "keys/k")
    case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: true)
    case .fifo: try #require(mkfifo(path, 0o600) == 0)
    case .inPackage:
      try write(Self.secret, to: "repository/Shop/Sources/k")
      return file("repository/Shop/Sources/k").path
    case .inRepository:
      try write(Self.secret, to: "repository/k")
      return file("repository/k").path
    case .linkIntoRepository:
      try write(Self.secret, to: "repository/k")
      try files.createSymbolicLink(atPath: path, withDestinationPath: file("repository/k").path)
    case .hardLink:
      try write(Self.secret, to: "keys/other")
      try files.linkItem(atPath: file("keys/other").path, toPath: path)
    case .unplanned: try write(Self.secret, to: "keys/k")
    case .groupReadable: try write(Self.secret, to: "keys/k", mode: 0o640)
    case .worldReadable: try write(Self.secret, to: "keys/k", mode: 0o604)
    }
    return path
  }

  @Test(
    "A file that is no place for a secret is refused with its line, and nothing is written",
    arguments: Place.allCases)
  func refusals(place: Place) async throws {
    let path = try make(place)
    let outcome = try await embed(
      "# Keys.\nk = \(path)\n", planned: [.missing, .unplanned].contains(place) ? [] : [path])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.lines.count == 1 && outcome.lines[0].hasPrefix("\(list):2: error: "), "\(outcome)")
    #expect(outcome.output.contains(place.reason), "\(outcome)")
    #expect(!outcome.output.contains(Self.secret))
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test(
    "A repository is found by each system's folder, or by the file of a worktree",
    arguments: [".git", ".hg", ".jj", ".svn"])
  func repositories(mark: String) async throws {
    try FileManager.default.removeItem(at: file("repository/.git"))
    try write("gitdir: elsewhere\n", to: "repository/\(mark)")
    try write(Self.secret, to: "repository/k")
    let path = file("repository/k").path
    let outcome = try await embed("k = \(path)\n", planned: [path])
    #expect(outcome.status == 1 && outcome.output.contains("it is inside the repository"), "\(outcome)")
    try FileManager.default.removeItem(at: file("repository/\(mark)"))
    let outside = try await embed("k = \(path)\n", planned: [path])
    #expect(outside.status == 0, "\(outside)")
  }

  @Test("All faults of the list and of the files are printed, in the order of the lines")
  func several() async throws {
    try write("", to: "keys/k")
    let path = file("keys/k").path
    let outcome = try await embed(
      "k = \(path)\nl = s3cr3t\nM = /m\nn = /none/n\n", planned: [path, "/none/n"])
    #expect(outcome.status == 1, "\(outcome)")
    let lines = outcome.lines.map { $0.dropFirst(list.count).prefix(4) }
    #expect(lines == [":1: ", ":2: ", ":3: ", ":4: "], "\(outcome)")
    #expect(!outcome.output.contains("s3cr3t"))
  }

  @Test("A list that can't be read, an output that can't be written and a wrong command line have exit codes")
  func exits() async throws {
    let missing = try await tool([
      "--list", "/none/l", "--package", "/", "--home", "/", "--output", "/none/o",
    ])
    #expect(missing.status == 66 && missing.output.contains("/none/l: error: can't open it"), "\(missing)")
    try write(Self.secret, to: "keys/a")
    try write("a = \(file("keys/a").path)\n", to: "list.txt")
    let unwritable = try await tool([
      "--list", file("list.txt").path, "--package", file("repository").path, "--home", "/", "--output",
      "/none/o", file("keys/a").path,
    ])
    #expect(unwritable.status == 73 && unwritable.output.contains("/none/o.new: error: can't create it"))
    for (words, complaint) in [
      ([], "--list is missing"), (["--list"], "--list needs a value"), (["--frob"], "unknown option --frob"),
      (["--list", "l", "--package", "p", "--home", ""], "--home needs a value"),
    ] as [([String], String)] {
      let outcome = try await tool(words)
      #expect(outcome.status == 64 && outcome.output.contains(complaint), "\(outcome)")
      #expect(outcome.output.contains("usage: embed-secrets-tool --list FILE"))
    }
    let help = try await tool(["--help"])
    #expect(help.status == 0 && help.output.contains("Exit codes: 0 written, 1 a list or a secret"))
  }
}
