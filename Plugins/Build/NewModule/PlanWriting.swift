import Foundation

/// Shows a plan or writes it to a package's folder.
struct PlanWriting {
  let plan: NewModulePlan
  let folder: URL

  private var manifest: URL { folder.appending(path: "Package.swift") }

  /// Throws if the folder of a file to be created exists, because it may contain other work.
  func refuseToOverwrite() throws {
    for file in plan.files {
      let target = folder.appending(path: file.path).deletingLastPathComponent()
      guard !FileManager.default.fileExists(atPath: target.path) else {
        throw NewModuleError("\(target.path) already exists; remove it or choose another name")
      }
    }
  }

  func show() {
    for file in plan.files {
      print("would write \(file.path):")
      for line in file.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        print(line.isEmpty ? "" : "    \(line)")
      }
    }
    guard let text = plan.manifest, let old = try? String(contentsOf: manifest, encoding: .utf8) else {
      return
    }
    print("would add to Package.swift:")
    let change = text.split(separator: "\n", omittingEmptySubsequences: false)
      .difference(from: old.split(separator: "\n", omittingEmptySubsequences: false))
    for case .insert(let offset, let line, _) in change { print("    \(offset + 1): \(line)") }
  }

  /// Writes the files, and the manifest last, so that it never names a missing folder.
  func write() throws {
    var written: [URL] = []
    do {
      for file in plan.files {
        let target = folder.appending(path: file.path)
        let parent = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        written.insert(parent, at: 0)
        try file.text.write(to: target, atomically: true, encoding: .utf8)
      }
      try plan.manifest?.write(to: manifest, atomically: true, encoding: .utf8)
    } catch {
      for parent in written { try? FileManager.default.removeItem(at: parent) }
      throw NewModuleError(
        "nothing was created, because writing failed (\(error.localizedDescription)); on macOS give SwiftPM leave: "
          + "swift package --allow-writing-to-package-directory new-module …")
    }
    for file in plan.files { print("wrote \(file.path)") }
    if plan.manifest != nil { print("registered the module's 3 targets in Package.swift") }
  }
}
