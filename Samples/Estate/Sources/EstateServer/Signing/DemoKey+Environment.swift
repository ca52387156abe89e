extension DemoKey {
  /// Creates the key in `ESTATE_KEY_ID` and `ESTATE_KEY_SECRET`, or `nil` if neither is set.
  ///
  /// Throws if only one is set, or if they are not a valid key.
  public init?(environment: [String: String]) throws(DemoKeyEnvironmentError) {
    let id = environment["ESTATE_KEY_ID"] ?? ""
    let secret = environment["ESTATE_KEY_SECRET"] ?? ""
    if id.isEmpty && secret.isEmpty { return nil }
    guard !id.isEmpty, !secret.isEmpty else { throw .half }
    do {
      try self.init(id: id, secretHex: secret)
    } catch {
      throw .fault(error)
    }
  }
}

/// Why the key in the environment is not valid.
public enum DemoKeyEnvironmentError: Error, Equatable, CustomStringConvertible {
  /// One of the two variables is missing.
  case half
  /// One of the two is not valid.
  case fault(DemoKeyFault)

  /// What happened and what to do, without the secret.
  public var description: String {
    switch self {
    case .half:
      "ESTATE_KEY_ID and ESTATE_KEY_SECRET belong together; set both or neither."
    case .fault(.name):
      "ESTATE_KEY_ID must be 1 to 64 letters, digits, '-', '_' or '.'."
    case .fault(.secret):
      "ESTATE_KEY_SECRET must be 16 to 128 bytes in hexadecimal."
    }
  }
}
