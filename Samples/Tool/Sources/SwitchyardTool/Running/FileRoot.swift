import CLibssl
import Foundation
import RequestFiles
import ToolCommands

/// The folder of the files that requests name; others can't be read.
struct FileRoot: Sendable {
  private let folder: URL

  init(_ path: String) { folder = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath() }

  /// Returns the path of a file.
  func path(of name: String) throws(FileAccessError) -> String {
    let url = URL(filePath: name, relativeTo: folder.appending(path: "", directoryHint: .isDirectory))
      .standardizedFileURL.resolvingSymlinksInPath()
    let base = folder.path == "/" ? "/" : folder.path + "/"
    guard url.path.hasPrefix(base) else {
      throw FileAccessError(
        "The file \"\(Printable.text(name))\" is outside of \(Printable.text(folder.path)); name another folder with --file-root."
      )
    }
    do throws(ToolFailure) {
      try InputFile.check(url.path)
    } catch {
      throw FileAccessError(error.description)
    }
    return url.path
  }

  /// Returns the content of a file of at most 64 MiB.
  func bytes(of name: String) throws(FileAccessError) -> [UInt8] {
    let path = try path(of: name)
    do throws(ToolFailure) {
      return try InputFile.bytes(of: path, upTo: 64 << 20)
    } catch {
      throw FileAccessError(error.description)
    }
  }

  /// What the check of a response needs.
  var tools: EvaluationTools {
    EvaluationTools(digest: ContentDigest.digest) { [self] name in
      do throws(FileAccessError) {
        return .success(try bytes(of: name))
      } catch {
        return .failure(error)
      }
    }
  }
}

/// The hash of a content.
private enum ContentDigest {
  /// Returns a hash; it is empty if the system's policy forbids the algorithm.
  static func digest(_ digest: Digest, of bytes: [UInt8]) -> [UInt8] {
    let algorithm =
      switch digest {
      case .sha256: EVP_sha256()
      case .md5: EVP_md5()
      }
    var count: UInt32 = 0
    var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    let isTaken = bytes.withUnsafeBytes { buffer in
      EVP_Digest(buffer.baseAddress, buffer.count, &hash, &count, algorithm, nil) == 1
    }
    return isTaken ? Array(hash.prefix(Int(count))) : []
  }
}
