/// Why a server could not start, or ended by itself.
public enum ServingError: Error, Hashable, CustomStringConvertible {
  /// Another program listens on the port.
  case portTaken(UInt16)
  /// The system refused a socket.
  case socket(reason: String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .portTaken(let port):
      "Port \(port) is taken by another program; choose another with --port, or 0 for any free one."
    case .socket(let reason):
      "The server can't listen on 127.0.0.1: \(reason)"
    }
  }
}
