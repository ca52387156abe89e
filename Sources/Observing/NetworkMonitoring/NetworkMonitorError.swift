public import Interception

/// A reason why the network can't be monitored.
public enum NetworkMonitorError: Error, LoggableError, Sendable, Hashable {
  /// The package has no source for this platform.
  case unsupportedPlatform
  /// A call of the system failed.
  case system(call: String, reason: String)
}

extension NetworkMonitorError: CustomStringConvertible {
  /// What failed, and what to do.
  public var description: String {
    switch self {
    case .unsupportedPlatform:
      "SystemNetworkSource reports networks on Linux with glibc and on Apple's platforms only; report the states of "
        + "the platform's monitor with a ManualNetworkSource."
    case .system(let call, let reason):
      "The network can't be monitored, because \(call) failed: \(reason). Check the process's sandbox and its "
        + "limit of descriptors."
    }
  }
}
