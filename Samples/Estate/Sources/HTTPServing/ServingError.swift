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
