import Foundation

/// The nginx program.
struct NginxProgram {
  let executable: URL

  /// Finds the program on the search path, or in the folders for system programs, which many users' path
  /// lacks.
  init(
    searchPath: String? = ProcessInfo.processInfo.environment["PATH"],
    systemFolders: [String] = ["/usr/local/sbin", "/usr/sbin", "/sbin"]
  ) throws(ProxyError) {
    guard let found = ProgramSearch(path: searchPath, extra: systemFolders).find("nginx") else {
      throw .nginxMissing
    }
    executable = found
  }
}
