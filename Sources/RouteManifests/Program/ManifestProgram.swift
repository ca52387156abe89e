import Foundation

/// The program that an app offers to `swift package route-manifest`, whole but for the manifest.
///
/// An executable target that depends on the app and on this module is all that is needed:
///
/// ```swift
/// import Foundation
/// import RouteManifests
///
/// let manifest = RouteManifest(app: "Estate", routes: try makeMediator().routes)
/// exit(ManifestProgram(manifest).run(CommandLine.arguments.dropFirst()))
/// ```
public struct ManifestProgram: Sendable {
  private let manifest: RouteManifest

  /// Offers the documents of a manifest.
  public init(_ manifest: RouteManifest) { self.manifest = manifest }

  /// Does what the command line asks for, and returns the code to exit with; `--help` explains both.
  ///
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - folder: What a relative path on the command line begins at; without it the current folder.
  ///   - tell: Takes what is printed, piece by piece; by default to standard output.
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
      tell("route-manifest: error: a document can't be made: \(error)\n")
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
      tell("\(file.path): error: it is not what the routes are; - is the file, + the routes\n")
      for line in LineDifference(from: old, to: document.text).lines { tell("  \(line)\n") }
    }
    guard faults == 0 else {
      tell(
        "route-manifest: \(faults) of \(documents.count) documents differ; if the change of the routes is meant, "
          + "write them anew without --check and commit them\n")
      return 1
    }
    tell("route-manifest: \(documents.count) documents are up to date\n")
    return 0
  }
}
