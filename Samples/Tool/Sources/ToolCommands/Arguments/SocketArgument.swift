/// The Unix domain socket over which a host is reached.
///
/// It is `HOST:PATH`, such as `docker:/var/run/docker.sock` for `http://docker/version`.
public struct SocketArgument: Sendable, Hashable {
  /// The host, in lowercase.
  public let host: String
  /// The path of the socket.
  public let path: String

  /// Parses an argument.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``.
  public init(_ text: String) throws(ToolFailure) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, text.first != ":", Self.isName(parts[0]) else {
      throw ToolFailure(
        .usage,
        "--unix-socket needs HOST:PATH, such as docker:/var/run/docker.sock, not \"\(Printable.text(text))\"."
      )
    }
    (host, path) = (parts[0].lowercased(), String(parts[1]))
  }

  /// Returns the paths of several arguments by their hosts.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage`` if two name one host.
  public static func paths(of arguments: [SocketArgument]) throws(ToolFailure) -> [String: String] {
    var paths: [String: String] = [:]
    for argument in arguments where paths.updateValue(argument.path, forKey: argument.host) != nil {
      throw ToolFailure(.usage, "--unix-socket names \(argument.host) twice; give each host one socket.")
    }
    return paths
  }

  private static func isName(_ host: Substring) -> Bool {
    host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
