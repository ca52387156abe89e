import Foundation
import PackagePlugin

/// Writes secrets from files outside the repository into the program, in shares that are joined at run time.
///
/// The file `EmbeddedSecrets.txt` in the target's folder lists them, a line `name = path` for each; it has no
/// secret and is committed. The target depends on the product EmbeddedSecrets, whose type gets a static property
/// for each secret.
///
/// A build command reads the files. It runs in the first build, and again whenever the list or a file changes;
/// each time it draws new shares. SwiftPM caches the plan with the paths until the manifest or the list of files
/// changes, so the command refuses a path that the plan doesn't have: changes of that file would go unnoticed.
@main
struct EmbedSecrets: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let file = target.directoryURL.appending(path: SecretList.fileName)
    guard let bytes = try? Data(contentsOf: file) else {
      let remedy = "write a line NAME = PATH for each secret into it, or remove the plugin EmbedSecrets from "
      Diagnostics.error("can't read \(file.path); \(remedy)\(target.name)", file: file.path)
      return []
    }
    let list = SecretList(bytes)
    let (package, home) = (context.package.directoryURL.path, Self.home)
    let files = list.secrets.map { $0.file(package: package, home: home) }
    // A build that lacks an input stops before the command could name the line.
    let missing = zip(list.secrets, files).filter { !FileManager.default.fileExists(atPath: $1) }
      .map { secret, path in
        SecretFault(
          line: secret.line, reason: "\(path): it does not exist; write the secret \"\(secret.name)\" into it")
      }
    let faults = list.faults + missing + Self.missingModule(of: target)
    for fault in faults.sorted(by: { $0.line < $1.line }) {
      // The text repeats the place, because the command line shows only the text of a plugin's diagnostic.
      Diagnostics.error("\(file.path):\(fault.line): \(fault.reason)", file: file.path, line: fault.line)
    }
    guard faults.isEmpty else { return [] }
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
    ProcessInfo.processInfo.environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
  }

  private static func missingModule(of target: any Target) -> [SecretFault] {
    guard !target.recursiveTargetDependencies.contains(where: { $0.name == "EmbeddedSecrets" }) else { return [] }
    return [
      SecretFault(
        line: 1,
        reason: "\(target.name) uses the plugin EmbedSecrets and lacks its module; add .product(name: "
          + "\"EmbeddedSecrets\", package: \"Switchyard\") to its dependencies")
    ]
  }
}
