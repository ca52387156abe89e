import Foundation
import PackagePlugin

/// Writes secrets from files outside the repository into the program, in shares that are joined at run time.
///
/// The file `EmbeddedSecrets.txt` in the target's folder lists them, a line `name = path` for each; it has no
/// secret and is committed. The target depends on the product EmbeddedSecrets, whose type gets a static
/// property for each secret.
///
/// A build command reads the files. It runs in the first build, and again whenever the list or a file
/// changes, and draws new shares if a secret has changed. SwiftPM caches the plan with the paths until the
/// manifest or the list of files changes, so the command refuses a path that the plan does not have: changes
/// of that file would go unnoticed.
@main
struct EmbedSecrets: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let file = target.directoryURL.appending(path: SecretList.fileName)
    let (package, home) = (context.package.directoryURL.path, Self.home)
    var files: [String] = []
    if let bytes = Self.contents(of: file) {
      let list = SecretList(bytes)
      var faults = list.faults + Self.missingModule(of: target)
      for secret in list.secrets {
        let path = secret.file(package: package, home: home)
        if FileManager.default.fileExists(atPath: path) {
          files.append(path)
        } else {
          let reason = "\(path): it does not exist; write the secret \"\(secret.name)\" into it"
          faults.append(SecretFault(line: secret.line, reason: reason))
        }
      }
      for fault in faults.sorted(by: { $0.line < $1.line }) {
        // The text repeats the place, because the command line shows only a diagnostic's text.
        Diagnostics.error("\(file.path):\(fault.line): \(fault.reason)", file: file.path, line: fault.line)
      }
    } else {
      let remedy = "write a line NAME = PATH for each secret into it, or remove the plugin EmbedSecrets from "
      Diagnostics.error("can't read \(file.path); \(remedy)\(target.name)", file: file.path)
    }
    // Also after a fault, because swiftbuild builds in spite of it; the command fails for the same fault.
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedSecret+Listed.swift")
    return [
      .buildCommand(
        displayName: "Embedding the secrets of \(target.name)",
        executable: try context.tool(named: "embed-secrets-tool").url,
        arguments: [
          "--list", file.path, "--package", package, "--home", home, "--output", output.path, "--",
        ] + files,
        inputFiles: [file] + files.map { URL(filePath: $0) },
        outputFiles: [output])
    ]
  }

  private static var home: String {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    return home.isEmpty ? FileManager.default.homeDirectoryForCurrentUser.path : home
  }

  /// Returns the bytes of a regular file; reading a pipe could block the build.
  private static func contents(of file: URL) -> Data? {
    let path = file.resolvingSymlinksInPath().path
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    return type == .typeRegular ? try? Data(contentsOf: file) : nil
  }

  private static func missingModule(of target: any Target) -> [SecretFault] {
    guard !target.recursiveTargetDependencies.contains(where: { $0.name == "EmbeddedSecrets" }) else {
      return []
    }
    return [
      SecretFault(
        line: 1,
        reason: "\(target.name) uses the plugin EmbedSecrets and lacks its module; add .product(name: "
          + "\"EmbeddedSecrets\", package: \"Switchyard\") to its dependencies")
    ]
  }
}
