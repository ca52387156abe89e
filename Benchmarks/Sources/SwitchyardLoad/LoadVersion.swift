public import ArgumentParser
import CurlTransport

/// The only version of HTTP that a load over TLS may use.
public enum LoadVersion: String, Sendable, ExpressibleByArgument {
  case http2 = "2"
  case http3 = "3"

  /// The version's name in a report.
  public var name: String { "h\(rawValue)" }

  var use: HTTP3Use { self == .http3 ? .first : .off }

  /// Opens connections over TCP only where HTTP/3 has failed, also if a slow or emulated processor, or a lost
  /// packet, delays a handshake.
  var withoutRace: ConnectionPolicy {
    self == .http3 ? ConnectionPolicy(headStart: .seconds(60)) : ConnectionPolicy()
  }
}

/// A report about another version than the one that the load has to use.
struct UnexpectedVersion: Error, CustomStringConvertible {
  let found: String
  let expected: LoadVersion

  var description: String { "The responses came over \(found) instead of \(expected.name)." }
}

extension LoadVersion {
  /// Checks the version that a report names.
  public func check(_ name: String) throws {
    guard name == self.name else { throw UnexpectedVersion(found: name, expected: self) }
  }
}
