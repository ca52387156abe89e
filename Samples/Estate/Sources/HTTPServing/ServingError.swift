import FlyingSocks
import Foundation

/// Why a server could not start, or ended by itself.
package enum ServingError: Error, Hashable, CustomStringConvertible {
  case portTaken(UInt16)
  case socket(reason: String)

  package var description: String {
    switch self {
    case .portTaken(let port):
      "Port \(port) is taken by another program; choose another with --port, or 0 for any free one."
    case .socket(let reason):
      "The server can't listen on 127.0.0.1: \(reason)"
    }
  }
}

extension ServingError {
  /// Translates an error of the socket library.
  package init(_ error: any Error, port: UInt16) {
    switch error as? SocketError {
    case .failed(_, EADDRINUSE, _): self = .portTaken(port)
    case .failed(_, _, let message): self = .socket(reason: message)
    default: self = .socket(reason: error.localizedDescription)
    }
  }
}
