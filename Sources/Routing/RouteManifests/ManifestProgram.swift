import Foundation

/// The program that an app provides for `swift package route-manifest`, complete except for the manifest.
///
/// An app adds an executable target that depends on the app and on this module:
///
/// ```swift
/// import Foundation
/// import RouteManifests
///
/// let manifest = RouteManifest(app: "Estate", mediator: try makeMediator())
/// exit(ManifestProgram(manifest).run(CommandLine.arguments.dropFirst()))
/// ```
public struct ManifestProgram: Sendable {
  private let manifest: RouteManifest

  /// Creates a program for a manifest.
  public init(_ manifest: RouteManifest) { self.manifest = manifest }

  /// Performs the command line's task and returns the exit code; `--help` documents both.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - folder: The base of relative paths on the command line; the current folder if nil.
  ///   - tell: Receives the output piece by piece; prints to standard output by default.
  public func run(
    _ arguments: some Sequence<String>, in folder: String? = nil,
    tell: (String) -> Void = { print($0, terminator: "") }
  ) -> Int32 {
    let task: ManifestArguments.Task
    do {
      task = try ManifestArguments(arguments).task
    } catch {
      tell("route-manifest: error: \(error)\n\n\(ManifestArguments.help)\n")
      return 64
    }
    let base = URL(
      filePath: folder ?? FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    do {
      switch task {
      case .help:
        tell(ManifestArguments.help + "\n")
        return 0
      case .print(let format):
        for document in try manifest.documents(in: format) { tell(document.text) }
        return 0
      case .write(let folder):
        return write(try manifest.documents(), to: URL(filePath: folder, relativeTo: base), telling: tell)
      case .check(let folder):
        return check(try manifest.documents(), in: URL(filePath: folder, relativeTo: base), telling: tell)
      }
    } catch {
      tell("route-manifest: error: a document can't be generated: \(error)\n")
      return 70
    }
  }

  private func write(_ documents: [ManifestDocument], to folder: URL, telling tell: (String) -> Void)
    -> Int32
  {
    for document in documents {
      let file = folder.appending(path: document.path)
      do {
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try document.text.write(to: file, atomically: true, encoding: .utf8)
      } catch {
        tell("\(file.path): error: can't be written: \(error.localizedDescription)\n")
        return 73
      }
      tell("\(file.path)\n")
    }
    return 0
  }

  private func check(_ documents: [ManifestDocument], in folder: URL, telling tell: (String) -> Void)
    -> Int32
  {
    var faults = 0
    for document in documents {
      let file = folder.appending(path: document.path)
      guard let data = try? Data(contentsOf: file) else {
        tell("\(file.path): error: it is missing or can't be read\n")
        faults += 1
        continue
      }
      let old = String(decoding: data, as: UTF8.self)
      if old == document.text { continue }
      faults += 1
      tell(
        "\(file.path): error: it is out of date; - marks lines of the file, + those of the current routes\n")
      for line in LineDifference(from: old, to: document.text).lines { tell("  \(line)\n") }
    }
    guard faults == 0 else {
      tell(
        "route-manifest: \(faults) of \(documents.count) documents differ; if the change of the routes is intended, "
          + "run the command without --check and commit the documents\n")
      return 1
    }
    tell("route-manifest: \(documents.count) documents are up to date\n")
    return 0
  }
}

/// The parsed command line of a program that describes an app's routes.
struct ManifestArguments: Sendable, Hashable {
  enum Task: Sendable, Hashable {
    case help
    case print(ManifestFormat)
    case write(folder: String)
    case check(folder: String)
  }

  /// A command line that is not valid.
  struct Fault: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static let help = """
    OVERVIEW: Writes the routes of an app as documents, or checks the documents.

    USAGE: [--output FOLDER] [--check] [--format FORMAT]

    Writes routes.json, routes.md, routes.svg (a drawing), Info.plist (URL schemes) and, if https links open
    the app, apple-app-site-association.

    OPTIONS:
      --output FOLDER  the folder of the documents; default: Manifest
      --check          writes nothing, and exits 1 if a document in the folder is out of date
      --format FORMAT  writes nothing, and prints one document: \(formats)
      --help           shows this help

    Exit codes: 0 done, 1 a document differs, 64 wrong usage, 70 a document can't be generated, 73 one
    can't be written.
    """

  private static var formats: String { ManifestFormat.allCases.map(\.rawValue).joined(separator: ", ") }

  let task: Task

  init(_ words: some Sequence<String>) throws(Fault) {
    var (folder, isCheck, format): (String?, Bool, ManifestFormat?) = (nil, false, nil)
    var rest = words.makeIterator()
    while let word = rest.next() {
      switch word {
      case "--help", "-h":
        task = .help
        return
      case "--check": isCheck = true
      case "--output":
        guard let value = rest.next(), !value.isEmpty else {
          throw Fault(description: "--output needs a folder after it")
        }
        folder = value
      case "--format":
        guard let value = rest.next().flatMap(ManifestFormat.init) else {
          throw Fault(description: "--format needs one of \(Self.formats) after it")
        }
        format = value
      default: throw Fault(description: "unknown argument \(word)")
      }
    }
    guard let format else {
      task = isCheck ? .check(folder: folder ?? "Manifest") : .write(folder: folder ?? "Manifest")
      return
    }
    guard !isCheck, folder == nil else {
      throw Fault(description: "--format prints a document; omit either --format, or --check and --output")
    }
    task = .print(format)
  }
}

/// The differences between two texts, line by line.
struct LineDifference: Sendable, Hashable {
  /// A change to one line.
  private struct Change: Hashable {
    let sign: String
    let number: Int
    let text: String
  }

  /// The maximum number of changes shown.
  static let limit = 40

  /// The changes, each as one line: `-` or `+`, the line number in the respective text, and the line.
  let lines: [String]

  init(from old: String, to new: String) {
    func split(_ text: String) -> [Substring] {
      text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let changes = split(new).difference(from: split(old)).map { change in
      switch change {
      case .remove(let offset, let line, _): Change(sign: "-", number: offset + 1, text: String(line))
      case .insert(let offset, let line, _): Change(sign: "+", number: offset + 1, text: String(line))
      }
    }
    .sorted { ($0.number, $1.sign) < ($1.number, $0.sign) }
    let shown = changes.prefix(Self.limit).map { "\($0.sign) \($0.number): \($0.text)" }
    let rest = changes.count - shown.count
    lines = shown + (rest > 0 ? ["… and \(rest) more"] : [])
  }
}
