import RegularFiles
import SecretEmbedding

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Reads the files of secrets, except those that could be committed or that others can read.
struct SecretFiles {
  private let arguments: EmbeddingArguments
  /// The folder of the package, and the repositories that contain it.
  private let repositories: [FileIdentity: String]

  init(_ arguments: EmbeddingArguments) {
    self.arguments = arguments
    let package = RegularFile.resolved(arguments.package) ?? arguments.package
    var repositories: [FileIdentity: String] = [:]
    for folder in SecretFileRule.folders(from: package) {
      let isRepository = [".git", ".hg", ".jj", ".svn"].contains {
        FileIdentity(at: "\(folder)/\($0)") != nil
      }
      guard folder == package || isRepository, let identity = FileIdentity(at: folder) else { continue }
      repositories[identity] = isRepository ? "the repository \(folder)" : "the package's folder \(folder)"
    }
    self.repositories = repositories
  }

  /// Returns a secret of the list.
  func bytes(of secret: ListedSecret) throws(SecretFault) -> [UInt8] {
    let written = secret.file(package: arguments.package, home: arguments.home)
    guard let path = RegularFile.resolved(written) else {
      let reason = String(cString: strerror(errno))
      throw SecretFault(
        line: secret.line,
        reason: "\(written): can't open it: \(reason); write the secret \"\(secret.name)\" into it")
    }
    guard arguments.planned.contains(written) else {
      throw SecretFault(
        line: secret.line,
        reason: "the build doesn't watch \(written) yet, because it was planned without it; "
          + "save Package.swift again, and build")
    }
    let contents: [UInt8]
    do throws(FileError) {
      // The path without links is opened, so that what is read is the file that is judged.
      contents = try RegularFile.bytes(at: path) { status throws(FileError) in
        let facts = SecretFileRule.Facts(
          repository: repository(of: path), size: status.size, permissions: status.permissions,
          names: status.names)
        if let fault = SecretFileRule.fault(of: facts) { throw FileError(path: path, reason: fault) }
      }
    } catch { throw SecretFault(line: secret.line, reason: "\(error.path): \(error.reason)") }
    do throws(SecretFileFault) { return try SecretFileRule.secret(in: contents) } catch {
      throw SecretFault(line: secret.line, reason: "\(path): \(error.reason)")
    }
  }

  private func repository(of path: String) -> String? {
    SecretFileRule.folders(from: path).lazy.compactMap { FileIdentity(at: $0) }.compactMap {
      repositories[$0]
    }.first
  }
}
