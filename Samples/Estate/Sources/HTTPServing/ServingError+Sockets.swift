import FlyingSocks
import Foundation

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
