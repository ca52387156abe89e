/// Why the state directory cannot be used.
public enum StateDirectoryError: Error, Equatable {
  /// The directory cannot be made, or is something else.
  case unusable(path: String, reason: String)
  /// A file cannot be read or written.
  case file(path: String, reason: String)
  /// Files are damaged, missing or do not belong together; deleting those named lets the server make new
  /// ones.
  case damaged(reason: String, delete: [String])
  /// The openssl program is not on the search path.
  case opensslMissing
  /// The openssl program failed at a step.
  case openssl(step: String, output: String)
}

extension StateDirectoryError: CustomStringConvertible {
  /// A sentence with the remedy.
  public var description: String {
    switch self {
    case .unusable(let path, let reason):
      "The state directory \(path) cannot be used: \(reason)"
    case .file(let path, let reason):
      "\(path) cannot be used: \(reason)"
    case .damaged(let reason, let delete):
      "\(reason) Delete \(delete.joined(separator: ", ")) to have new files made."
    case .opensslMissing:
      "The program openssl, which makes the certificate, is not on PATH; install it (apt-get install openssl)."
    case .openssl(let step, let output):
      "openssl failed at '\(step)': \(output)"
    }
  }
}
