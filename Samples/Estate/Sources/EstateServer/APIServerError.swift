import Foundation

/// Why the server could not start.
public enum APIServerError: Error, Equatable, CustomStringConvertible {
  /// Another program listens on the port.
  case portTaken(Int)

  /// A sentence with the remedy.
  public var description: String {
    switch self {
    case .portTaken(let port):
      "Port \(port) is taken by another program; choose another with --port, or 0 for any that is free."
    }
  }
}

let addressInUse: CInt = EADDRINUSE
