/// Why the state directory can't be used.
public enum StateDirectoryError: Error, Equatable {
  /// The path is not a directory, or it could not be created.
  case unusable(path: String, reason: String)
  /// A file could not be read or written.
  case file(path: String, reason: String)
  /// Files are damaged, missing or do not belong together; the server makes new ones once those named are
  /// deleted.
  case damaged(reason: String, delete: [String])
  /// The openssl program is not on the search path.
  case opensslMissing
  /// A command of the openssl program failed.
  case openssl(step: String, output: String)
}

extension StateDirectoryError: CustomStringConvertible {
  /// What happened and what to do.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "The state directory \(path) cannot be used: \(reason)"
    case .file(let path, let reason):
      "\(path) cannot be used: \(reason)"
    case .damaged(let reason, let delete):
      "\(reason) Delete \(delete.joined(separator: ", ")), and the next start makes new files."
    case .opensslMissing:
      "The program openssl, which makes the certificate, is not on PATH; install it (apt-get install openssl)."
    case .openssl(let step, let output):
      "openssl failed at '\(step)': \(output)"
    }
  }
}
