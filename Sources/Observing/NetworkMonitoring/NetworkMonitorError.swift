public import Interception

/// A reason why the network can't be monitored.
public struct NetworkMonitorError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What failed, and what to do.
  public let description: String

  /// The package has no source for this platform.
  package static let unsupportedPlatform = NetworkMonitorError(
    description: "SystemNetworkSource reports networks on Linux with glibc and on Apple's platforms only; "
      + "report the states of the platform's monitor with a ManualNetworkSource.")

  /// A call of the system failed.
  package static func system(call: String, reason: String) -> NetworkMonitorError {
    NetworkMonitorError(
      description: "The network can't be monitored, because \(call) failed: \(reason). Check the process's "
        + "sandbox and its limit of descriptors.")
  }
}
