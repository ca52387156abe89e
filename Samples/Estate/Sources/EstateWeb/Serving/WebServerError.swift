import Foundation

/// Why the pages are not served.
public enum WebServerError: Error, Hashable, CustomStringConvertible {
  /// Another program listens on the port.
  case portTaken(Int)

  /// What is wrong, and what to do.
  public var description: String {
    switch self {
    case .portTaken(let port): "Port \(port) is taken; choose another, or 0 for any that is free."
    }
  }
}

/// What the system answers when a port is in use.
let addressInUse = EADDRINUSE
